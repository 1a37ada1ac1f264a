// The room of analysis: the running lines, the mistakes, why, and the retry.

import { h, show } from "../dom.mjs";
import { play } from "../game.mjs";
import { isOn, leave } from "../match.mjs";
import { retried, startRetry } from "../retry.mjs";
import { mistakes, startReview, stopReview } from "../review.mjs";
import { change, state, watchLater } from "../state.mjs";
import { mainLine, numberOf } from "../tree.mjs";
import { askWhy } from "../why.mjs";
import { t } from "../words/index.mjs";
import { button, choose, expectedText, knownNet, netOptions, noticeAt, problem, scoreText } from "./controls.mjs";
import { moveTools } from "./moves.mjs";

const PV_MOVES = 12;

/** Makes the part above the moves, and the tools below them. */
export function mountAnalysis(above, below) {
  const controls = h("div", { class: "controls" });
  const lines = h("div", { class: "lines" });
  above.append(controls, lines);
  watchLater(
    () => [state.analysis.on, state.analysis.net, state.analysis.lines, state.hello, state.match?.over, state.match, state.settings],
    () => show(controls, isOn() ? matchRuns() : engineControls()),
  );
  watchLater(
    () => [state.analysis.on, state.analysis.info, state.analysis.problem, state.position, state.retry, state.match?.over, state.settings],
    () => show(lines, state.analysis.on && !isOn() ? engineLines() : []),
  );
  watchLater(
    () => [state.node, state.treeVersion, state.review, state.retry, state.hello, state.notice, state.match, state.match?.over, state.settings],
    () => show(below, state.retry || isOn() ? [] : tools()),
  );
}

const matchRuns = () => [h("p", { class: "status" }, t("analysis.match")), button(t("analysis.leave"), leave)];

function engineControls() {
  const { on, net, lines } = state.analysis;
  const set = (more) =>
    change(() => {
      state.analysis = { ...state.analysis, ...more };
    });
  const counts = [1, 2, 3, 4, 5].map((count) => [String(count), t("analysis.lines", { count })]);
  return [
    h(
      "button",
      { type: "button", role: "switch", class: "switch", "aria-checked": String(on), "data-key": "engine", onclick: () => set({ on: !on, info: null }) },
      t("analysis.engine"),
    ),
    choose(t("setup.net"), "analysis-net", netOptions(), knownNet(net), (value) => set({ net: value })),
    choose(t("analysis.count"), "lines", counts, String(lines), (value) => set({ lines: Number(value) })),
  ];
}

function engineLines() {
  const { info, problem: refused } = state.analysis;
  if (refused) return [problem(refused)];
  if (state.position?.result) return [h("p", { class: "muted" }, t(`reason.${state.position.result.reason}`))];
  if (!info) return [h("p", { class: "muted" }, t("analysis.starting"))];
  const speed = { depth: info.depth, nodes: info.nodes.toLocaleString(document.documentElement.lang), speed: Math.round(info.nps / 1000) };
  return [h("p", { class: "muted figures" }, t("analysis.figures", speed)), h("ol", {}, info.lines.map((line) => lineItem(line, info.node)))];
}

function lineItem(line, node) {
  const score = h("b", { class: `score ${line.expected >= 0.5 ? "white" : "black"}`, title: expectedText(line.expected) }, scoreText(line.score));
  const first = line.pv[0];
  const ask = first && state.hello?.explain && button("?", () => askWhy(node, first), { class: "ask", "aria-label": t("why.of", { move: first.san }), title: t("why.of", { move: first.san }), "data-key": `why-${line.rank}` });
  return h("li", {}, score, h("span", { class: "pv" }, pvMoves(line.pv.slice(0, PV_MOVES), node)), ask);
}

/** The moves of a line with their numbers; the first can be played. */
function pvMoves(pv, node) {
  const { game } = state;
  let { number, side } = numberOf({ parent: node }, game.root);
  return pv.map((move, i) => {
    const label = side === "w" ? `${number}.` : i === 0 ? `${number}…` : "";
    if (side === "b") number += 1;
    side = side === "w" ? "b" : "w";
    const shown = i === 0 ? h("button", { type: "button", class: "move", "data-key": `pv-${move.uci}`, onclick: () => play(move) }, move.san) : `${move.san}`;
    return [label && h("span", { class: "number" }, label), shown, " "];
  });
}

/** What can be asked of the game and of the move on the board. */
function tools() {
  const { node, review, game } = state;
  const moves = mainLine(game.root);
  const judged = moves.length > 1 && moves.slice(1).every((move) => move.judged);
  const found = judged ? mistakes().length : 0;
  const why = node.parent && state.hello?.explain;
  return [
    h(
      "div",
      { class: "row" },
      why && button(t("why.of", { move: node.san }), () => askWhy(node.parent, node), { class: "primary", "data-key": "why" }),
      !review && !judged && moves.length > 1 && button(t("review.start"), startReview),
      review && button(t("review.stop", review), stopReview, { "data-key": "stop" }),
      found > 0 && button(t("retry.start", { count: found }), startRetry),
      judged && found === 0 && h("p", { class: "muted" }, t("review.none")),
      h("span", { class: "end" }, moveTools()),
    ),
    review && h("progress", { max: review.of, value: String(review.done), "aria-label": t("review.progress") }),
    noticeAt("review"),
  ];
}

/** The name of the mistake that is tried again, e.g. "14… Qxb7". */
export function retriedName() {
  const node = retried();
  const { number, side } = numberOf(node, state.game.root);
  return `${number}${side === "w" ? "." : "…"} ${node.san}`;
}
