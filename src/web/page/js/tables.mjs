// What perfect play leads to, asked of the server wherever its tables may have the position on the board.

import { ask } from "./api.mjs";
import { isOn } from "./match.mjs";
import { change, state, watch } from "./state.mjs";
import { stateAt } from "./tree.mjs";

export function askTables() {
  watch(
    () => [state.node, state.node.fen, state.room, state.hello, state.match?.over, state.connection],
    async (node, fen, room, hello) => {
      const pieces = fen?.split(" ")[0].replace(/[\d/]/g, "").length ?? 99;
      if (room !== "analysis" || isOn() || pieces > (hello?.tablebases ?? 0) || state.tables?.node === node) return;
      const { game } = state;
      const { moves } = await ask("/api/tablebase", { state: stateAt(game, node) }).catch(() => ({ moves: null }));
      if (state.node === node) {
        change(() => {
          state.tables = { node, moves };
        });
      }
    },
  );
}
