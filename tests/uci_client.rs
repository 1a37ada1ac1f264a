//! Another engine's process as Enroc uses it, with Enroc as the other engine.

use enroc::board::Position;
use enroc::uci_client::{Effort, EngineSettings, UciClient};

#[test]
fn an_engine_tells_as_many_lines_as_the_last_question_asks_for() {
    let settings = EngineSettings {
        program: env!("CARGO_BIN_EXE_enroc").to_string(),
        ..EngineSettings::default()
    };
    let mut engine = UciClient::start(&settings).unwrap();
    for lines in [3, 1, 2] {
        let analysis = engine
            .analyse(&Position::default(), Effort::Depth(2), lines, &[])
            .unwrap();
        assert_eq!(analysis.lines.len(), lines);
    }
}
