// The room of analysis: the engine with its switch, what can be asked of the game, the retry.

import { summary } from "../accuracy.mjs";
import { setEngine } from "../analysis.mjs";
import { h, show } from "../dom.mjs";
import { playLine } from "../game.mjs";
import { isOn, leave } from "../match.mjs";
import { shown } from "../notation.mjs";
import { retried, startRetry } from "../retry.mjs";
import { mistakesOf, startReview, stopReview } from "../review.mjs";
import { knownNet } from "../setup.mjs";
import { state, watchLater } from "../state.mjs";
import { mainLine, numberOf, otherSide, sideToMove } from "../tree.mjs";
import { askWhy } from "../why.mjs";
import { t } from "../words/index.mjs";
import { button, choose, folded, netOptions, noticeAt, number } from "./controls.mjs";
import { mountLines } from "./lines.mjs";
import { moveTools } from "./notes.mjs";

/** Makes the part above the moves, and the tools below them. */
export function mountAnalysis(above, below) {
  const controls = h("div", {});
  const lines = h("div", { class: "lines" });
  const tables = h("div", { class: "tables" });
  above.append(controls, lines, tables);
  const seenOfEngine = () => {
    const { on, net, lines: count, threads, hash, limit } = state.analysis;
    return [on, net, count, threads, hash, limit, state.hello, state.match?.over, state.match, state.retry, state.settings];
  };
  watchLater(seenOfEngine, () => {
    above.hidden = state.retry !== null;
    show(controls, isOn() ? matchRuns() : engineControls());
  });
  mountLines(lines);
  watchLater(
    () => [state.tables, state.node, state.retry, state.match, state.match?.over, state.settings],
    (found, node) => show(tables, found?.node === node && !state.retry && !isOn() ? tableMoves(found.moves) : []),
  );
  watchLater(
    () => [state.node, state.treeVersion, state.review, state.retry, state.hello, state.notice, state.match, state.match?.over, state.settings],
    () => show(below, state.retry || isOn() ? [] : tools()),
  );
}

const matchRuns = () => [h("p", { class: "status" }, t("analysis.match")), button(t("analysis.leave"), leave)];

function engineControls() {
  const { on, net, lines, threads, hash, limit, depth, seconds } = state.analysis;
  const counts = [1, 2, 3, 4, 5].map((count) => [String(count), String(count)]);
  const limits = state.hello?.limits ?? { threads: 1, hash_mb: 64, most_hash_mb: 64 };
  const sizes = [16, 64, 256, 1024].filter((size) => size <= limits.most_hash_mb).map((size) => [String(size), `${size} MB`]);
  const ends = ["infinite", "depth", "time"].map((end) => [end, t(`analysis.limit.${end}`)]);
  return [
    h(
      "div",
      { class: "controls" },
      h("button", { type: "button", role: "switch", class: "switch", "aria-checked": String(on), "data-key": "engine", onclick: () => setEngine({ on: !on, info: null }) }, t("analysis.engine")),
      choose(t("analysis.count"), "lines", counts, String(lines), (value) => setEngine({ lines: Number(value) })),
      folded(
        t("analysis.more"),
        "engine",
        choose(t("setup.net"), "analysis-net", netOptions(), knownNet(net), (value) => setEngine({ net: value })),
        h(
          "div",
          { class: "pair" },
          number(t("analysis.threads"), "threads", { min: 1, max: limits.threads }, threads, (value) => setEngine({ threads: Math.round(value) })),
          choose(t("analysis.hash"), "hash", sizes, String(hash), (value) => setEngine({ hash: Number(value) })),
        ),
        h(
          "div",
          { class: "pair" },
          choose(t("analysis.limit"), "analysis-limit", ends, limit, (value) => setEngine({ limit: value })),
          limit === "depth" && number(t("analysis.depth"), "analysis-depth", { min: 1, max: 100 }, depth, (value) => setEngine({ depth: Math.round(value) })),
          limit === "time" && number(t("setup.seconds"), "analysis-seconds", { min: 1, max: 3600 }, seconds, (value) => setEngine({ seconds: value })),
        ),
      ),
    ),
  ];
}

/** The moves by what perfect play makes of them, for the player to move. */
function tableMoves(moves) {
  if (!moves || moves.length === 0) return [];
  const [{ result }] = moves;
  const turn = sideToMove(state.node, state.game.root);
  const winner = { win: turn, loss: otherSide(turn) }[result];
  const title = t(`result.${winner === "w" ? "1-0" : winner === "b" ? "0-1" : "1/2-1/2"}`);
  const move = (own) => h("button", { type: "button", class: "move", "data-key": `table-${own.uci}`, onclick: () => playLine(state.node, [own]) }, shown(own.san));
  const groups = [...new Set(moves.map((own) => own.result))];
  const group = (name) =>
    h("li", {}, h("b", {}, t(`tables.${name}`)), " ", moves.filter((own) => own.result === name).map((own) => [move(own), " "]));
  return [h("p", { class: "status" }, t("tables.title", { result: title })), h("ul", { class: "muted" }, groups.map(group))];
}

/** What can be asked of the game and of the move on the board. */
function tools() {
  const { node, review, game } = state;
  const moves = mainLine(game.root);
  const judged = moves.length > 1 && moves.slice(1).every((move) => move.judged);
  const found = judged ? mistakesOf("w").length + mistakesOf("b").length : 0;
  const why = node.parent && state.hello?.explain;
  return [
    h(
      "div",
      { class: "row" },
      why && button(t("why.of", { move: shown(node.san) }), () => askWhy(node.parent, node), { class: "primary", "data-key": "why" }),
      !review && !judged && moves.length > 1 && button(t("review.start"), startReview),
      review && button(t("review.stop", review), stopReview, { "data-key": "stop" }),
      found > 0 && button(t("retry.start", { count: found }), () => startRetry()),
      judged && found === 0 && h("p", { class: "muted" }, t("review.none")),
      h("span", { class: "end" }, moveTools()),
    ),
    review && h("progress", { max: review.of, value: String(review.done), "aria-label": t("review.progress") }),
    judged && !review && sums(summary(game.root)),
    noticeAt("review"),
  ];
}

/** Accuracy and mistakes, a column for each side. */
function sums(sides) {
  const kinds = ["inaccuracy", "mistake", "blunder"];
  const both = [sides.w, sides.b];
  const row = (name, text) => h("tr", {}, h("th", { scope: "row" }, name), both.map((side) => h("td", {}, side ? text(side) : "–")));
  const heads = ["w", "b"].map((side) => h("th", { scope: "col" }, t(`side.${side}`)));
  const accuracy = row(t("accuracy"), (side) => t("score.percent", { percent: side.accuracy }));
  const counts = kinds.map((kind) => row(t(`mistakes.${kind}`), (side) => String(side[kind])));
  return h("table", { class: "sums" }, h("thead", {}, h("tr", {}, h("td", {}), heads)), h("tbody", {}, accuracy, counts));
}

/** The name of the mistake that is tried again, e.g. "14… Qxb7". */
export function retriedName() {
  const node = retried();
  const { number: move, side } = numberOf(node, state.game.root);
  return `${move}${side === "w" ? "." : "…"} ${shown(node.san)}`;
}
