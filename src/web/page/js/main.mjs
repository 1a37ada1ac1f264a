// Starts the page: reads what was kept, puts the views in their places, and finds the server.

import { followBoard as analyse } from "./analysis.mjs";
import { ask, Gone, leaveServer, onConnection, ping, takeToken } from "./api.mjs";
import { makeBoard } from "./board/board.mjs";
import { byId } from "./dom.mjs";
import { refresh } from "./game.mjs";
import { goOn, holdClock } from "./match.mjs";
import { followBoard as compare } from "./networks.mjs";
import { keepSaving, restore, restoreFile, shareToken, tellToken } from "./saved.mjs";
import { applySettings, onOtherTab } from "./settings.mjs";
import { knownNet } from "./setup.mjs";
import { soundMoves } from "./sound.mjs";
import { change, state, watch } from "./state.mjs";
import { askTables } from "./tables.mjs";
import { mountAnalysis } from "./views/analysis.mjs";
import { mountEntry } from "./views/entry.mjs";
import { openExchange, takeDropsAndPastes } from "./views/exchange.mjs";
import { mountFile } from "./views/file.mjs";
import { mountBar, mountGraph } from "./views/graph.mjs";
import { mountHeader } from "./views/header.mjs";
import { mountLive } from "./views/live.mjs";
import { mountMoves, mountOpening, mountSteps } from "./views/moves.mjs";
import { mountNetworks } from "./views/networks.mjs";
import { mountNotes } from "./views/notes.mjs";
import { mountPlay } from "./views/play.mjs";
import { mountPlayers } from "./views/players.mjs";
import { mountRetry } from "./views/retry.mjs";
import { mountToast } from "./views/toast.mjs";
import { mountWhy } from "./views/why.mjs";

const RETRY_MS = 1500;
/** How often the page looks whether the server is still there. */
const PULSE_MS = 5000;
let timer = null;

/** Finds the server, and goes on where it was lost. */
async function connect() {
  clearTimeout(timer);
  try {
    const hello = await ask("/api/hello");
    change(() => {
      state.hello = hello;
      const { net, threads } = state.analysis;
      state.analysis = { ...state.analysis, net: knownNet(net), threads: Math.min(threads, hello.limits.threads) };
    });
    tellToken();
    await refresh();
    goOn();
  } catch (error) {
    if (error instanceof Gone) timer = setTimeout(connect, RETRY_MS);
  }
}

function connectionIs(connection) {
  if (connection === state.connection) return;
  change(() => {
    state.connection = connection;
  });
  if (connection === "ok") return;
  holdClock();
  clearTimeout(timer);
  if (connection === "gone") timer = setTimeout(connect, RETRY_MS);
}

/** Notices the end of a server that nothing is asked of. */
function lookAfterServer() {
  const look = () => state.connection === "ok" && state.hello && !document.hidden && ping();
  setInterval(look, PULSE_MS);
  document.addEventListener("visibilitychange", look);
}

function mount() {
  mountHeader(connect);
  makeBoard(byId("board"));
  mountPlayers();
  mountSteps(byId("steps"));
  mountEntry();
  mountPlay(byId("play-above"), byId("play-below"));
  mountAnalysis(byId("analysis-above"), byId("analysis-below"));
  mountOpening(byId("opening"));
  mountMoves(byId("moves"));
  mountFile(byId("file"), () => openExchange());
  mountNotes(byId("notes"));
  mountToast();
  mountRetry(byId("retry"));
  mountWhy(byId("why"));
  mountGraph(byId("graph"));
  mountBar();
  mountNetworks(byId("networks"));
  mountLive();
}

takeToken();
watch(() => [state.settings], applySettings);
onOtherTab((settings) =>
  change(() => {
    state.settings = settings;
  }),
);
onConnection(connectionIs);
await restore();
mount();
delete document.documentElement.dataset.restoring;
analyse();
compare();
keepSaving();
restoreFile();
soundMoves();
askTables();
lookAfterServer();
takeDropsAndPastes();
shareToken(connect);
addEventListener("hashchange", () => takeToken() && connect());
addEventListener("pagehide", leaveServer);
connect();
