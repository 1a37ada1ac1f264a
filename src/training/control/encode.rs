//! Positions as a control net takes them, and the outputs that it should set.

use crate::board::Color;
use crate::data::Record;
use crate::nets::control::encoding::{INPUTS, encode};
use crate::nets::control::head::{OUTPUTS, output_of};
use crate::training::meaning::label_for;

pub struct Rows {
    /// Positions × 65.
    pub inputs: Vec<f32>,
    /// Positions × 6: 1 for the output of the label's kind of advantage, 0 for the others.
    pub outputs: Vec<f32>,
}

impl Rows {
    /// Encodes labelled positions. A record that is no legal position, which no source of data lets in, becomes a row of
    /// zeros.
    pub fn encode(records: &[Record]) -> Rows {
        let mut rows = Rows {
            inputs: vec![0.0; records.len() * INPUTS],
            outputs: vec![0.0; records.len() * OUTPUTS],
        };
        let inputs = rows.inputs.chunks_exact_mut(INPUTS);
        let outputs = rows.outputs.chunks_exact_mut(OUTPUTS);
        for ((record, inputs), outputs) in records.iter().zip(inputs).zip(outputs) {
            if let Ok(position) = record.position() {
                inputs.copy_from_slice(&encode(&position).map(f32::from));
            }
            if let Some(output) = output_of(label_for(record, Color::White)) {
                outputs[output] = 1.0;
            }
        }
        rows
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.inputs.len() / INPUTS
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::data::Label;

    #[test]
    fn rows_are_the_encoding_and_labels_set_outputs() {
        let black_moves = Position::from_fen("r3k3/8/8/8/3pP3/8/8/4K2R b Kq e3 0 1").unwrap();
        let positions = [Position::default(), black_moves, black_moves];
        // labels of records are for White
        let records: Vec<Record> = positions
            .iter()
            .zip([20, 160, -500])
            .map(|(position, label)| Record::new(position).with_label(Label::centipawns(label)))
            .collect();
        let rows = Rows::encode(&records);
        assert_eq!(rows.len(), 3);
        for (position, inputs) in positions.iter().zip(rows.inputs.chunks(INPUTS)) {
            assert_eq!(inputs, encode(position).map(f32::from));
        }
        let wanted = [
            [0.0; 6],
            [0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        ];
        assert_eq!(rows.outputs, wanted.as_flattened());
    }
}
