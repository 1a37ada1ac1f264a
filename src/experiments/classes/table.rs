//! The figures of a run as a table in Markdown: a line for each task and manner, from the least to the largest over its
//! layouts.

use super::coding::Task;
use super::list::Manner;
use super::measure::Figures;
use super::{Outcome, Trained};

const HEAD: &str = "| asked for | told, answering | accuracy in training | accuracy | balanced | all outputs right | the same, balanced | collapsed |\n\
    |---|---|---|---|---|---|---|---|\n";

/// The table; shares in per cent.
pub fn markdown(outcome: &Outcome) -> String {
    let mut text = HEAD.to_string();
    for (task, [training, test]) in &outcome.constants {
        text += &line(*task, "nothing: the constant", &[(*training, *test)], None);
        for manner in Manner::ALL {
            let nets = nets_of(outcome, *task, manner);
            let figures: Vec<(Figures, Figures)> = nets.iter().map(|net| (net.training, net.test)).collect();
            if !nets.is_empty() {
                let collapsed = nets.iter().filter(|net| net.test.is_collapsed()).count();
                let words = format!("{collapsed} of {}", nets.len());
                text += &line(*task, &manner.to_string(), &figures, Some(words));
            }
        }
    }
    text
}

/// The nets of a task and manner.
pub fn nets_of(outcome: &Outcome, task: Task, manner: Manner) -> Vec<&Trained> {
    let of = |trained: &&Trained| (trained.net.task, trained.net.manner) == (task, manner);
    outcome.trained.iter().filter(of).collect()
}

fn line(task: Task, manner: &str, figures: &[(Figures, Figures)], collapsed: Option<String>) -> String {
    let range = |value: &dyn Fn(&(Figures, Figures)) -> f64| {
        let values = figures.iter().map(|figures| 100.0 * value(figures));
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(f64::NEG_INFINITY, f64::max);
        match (format!("{least:.2}"), format!("{most:.2}")) {
            (least, most) if least == most => least,
            (least, most) => format!("{least}–{most}"),
        }
    };
    format!(
        "| {task} | {manner} | {} | {} | {} | {} | {} | {} |\n",
        range(&|figures| figures.0.accuracy),
        range(&|figures| figures.1.accuracy),
        range(&|figures| figures.1.balanced),
        range(&|figures| figures.1.exact),
        range(&|figures| figures.1.balanced_exact),
        collapsed.unwrap_or_default()
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::Settings;
    use super::super::list::nets;
    use super::*;

    /// Nets whose accuracy grows with their layout; those of the author say one thing.
    pub fn outcome() -> Outcome {
        let figures = |accuracy: f64, commonest| Figures {
            accuracy,
            balanced: accuracy / 2.0,
            exact: accuracy / 3.0,
            balanced_exact: accuracy / 4.0,
            commonest,
        };
        let trained = |net: super::super::list::NetName| {
            let commonest = if net.manner.is_the_authors() { 1.0 } else { 0.5 };
            Trained {
                net,
                training: figures(0.9, commonest),
                test: figures(0.6 + 0.01 * net.layout as f64, commonest),
            }
        };
        let settings = Settings::default();
        let constant = |&task: &Task| (task, [figures(0.6, 1.0); 2]);
        Outcome {
            constants: settings.tasks.iter().map(constant).collect(),
            trained: nets(&settings.tasks).into_iter().map(trained).collect(),
            settings,
            skipped: Vec::new(),
        }
    }

    #[test]
    fn a_line_for_each_task_and_manner() {
        let text = markdown(&outcome());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2 + 7 * 6 + 3 * 5);
        assert_eq!(
            lines[2],
            "| evaluation 1 | nothing: the constant | 60.00 | 60.00 | 30.00 | 20.00 | 15.00 |  |"
        );
        assert_eq!(
            lines[3],
            "| evaluation 1 | squares, sigmoids | 90.00 | 61.00–67.00 | 30.50–33.50 | 20.33–22.33 | 15.25–16.75 | 7 of 7 |"
        );
        assert!(
            lines
                .last()
                .unwrap()
                .starts_with("| free file | bits, softmax | ")
        );
        assert!(lines.last().unwrap().ends_with(" | 0 of 9 |"));
    }
}
