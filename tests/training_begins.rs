//! What a training begins with: the weights of another training, those of a net file, or ones drawn from another seed; and
//! data that has what the recipe asks for.

#[path = "common/training.rs"]
mod common;

use common::{fail, import_shards, killed, net_in, succeed, train, workplace};
use enroc::nets::net::Net;

#[test]
fn a_training_begins_after_another() {
    let folder = workplace(128_000, "");
    succeed(train(folder.path(), "out", &[]));
    let (path, _) = net_in(&folder.path().join("out"));
    let first = Net::read(&path).unwrap().info.validation.unwrap();
    std::fs::remove_file(&path).unwrap();

    let path = folder.path().join("recipe.toml");
    let recipe = std::fs::read_to_string(&path).unwrap();
    let next = after_small(&recipe);
    std::fs::write(&path, &next).unwrap();
    let output = succeed(train(folder.path(), "out", &[]));
    assert!(!String::from_utf8_lossy(&output.stdout).contains("has not ended"));
    let (net, _) = net_in(&folder.path().join("out"));
    let second = Net::read(&net).unwrap().info.validation.unwrap();
    assert!(
        (first.error - second.error).abs() < 1e-3,
        "steps of nothing change nothing: {first:?} {second:?}"
    );

    // a wider first layer begins with what the narrower net computes
    std::fs::remove_file(&net).unwrap();
    std::fs::write(&path, next.replace("2x774-16", "2x774-24")).unwrap();
    succeed(train(folder.path(), "out", &["--restart"]));
    let (net, _) = net_in(&folder.path().join("out"));
    let third = Net::read(&net).unwrap().info;
    assert_eq!(third.architecture.layout, "2x774-24-8-1x8");
    assert!((first.error - third.validation.unwrap().error).abs() < 1e-3);

    // what does not fit is named before any data is read, and so is a training that is not there
    std::fs::remove_file(folder.path().join("rows.csv")).unwrap();
    let refused = [
        (
            "2x774-16",
            "2x774-12",
            "small/checkpoint.safetensors: its net.layout is 2x774-16-8-1x8, here it is 2x774-12-8-1x8",
        ),
        (
            "tanh = { scale = 800.0 }",
            "linear = { centipawns = 800.0 }",
            "net.curve is { tanh = { scale = 800.0 } }, here",
        ),
        (
            "\"squaredclippedrelu\"",
            "\"clippedrelu\"",
            "net.first_activation is squaredclippedrelu, here",
        ),
        (
            "after = \"small\"",
            "after = \"smaller\"",
            "smaller/checkpoint.safetensors",
        ),
    ];
    for (from, to, reason) in refused {
        assert!(next.contains(from), "{from}");
        std::fs::write(&path, next.replace(from, to)).unwrap();
        fail(train(folder.path(), "out", &["--restart"]), reason);
    }
}

/// A net file is all that is left of the first training; the second one counts its positions too.
#[test]
fn a_training_begins_after_a_net_file() {
    let folder = workplace(128_000, "");
    succeed(train(folder.path(), "out", &[]));
    let (path, _) = net_in(&folder.path().join("out"));
    let first = Net::read(&path).unwrap().info;
    let before = folder.path().join("before.safetensors");
    std::fs::rename(&path, &before).unwrap();
    std::fs::remove_dir_all(folder.path().join("out")).unwrap();

    let path = folder.path().join("recipe.toml");
    let recipe = std::fs::read_to_string(&path).unwrap();
    let next = after_small(&recipe).replace("\"small\"", "\"before.safetensors\"");
    std::fs::write(&path, &next).unwrap();
    succeed(train(folder.path(), "out", &[]));
    let (net, _) = net_in(&folder.path().join("out"));
    let second = Net::read(&net).unwrap().info;
    let (error, error_before) = (second.validation.unwrap().error, first.validation.unwrap().error);
    assert!((error - error_before).abs() < 1e-3, "{error} {error_before}");
    assert!(second.positions > first.positions && second.positions <= 2 * 128_000);

    // a wider first layer and another scale of tanh begin with what the net computes
    let wider = next
        .replace("2x774-16", "2x774-24")
        .replace("scale = 800.0", "scale = 700.0");
    std::fs::write(&path, wider).unwrap();
    succeed(train(folder.path(), "wide", &[]));
    let (net, _) = net_in(&folder.path().join("wide"));
    let third = Net::read(&net).unwrap().info;
    assert_eq!(third.architecture.layout, "2x774-24-8-1x8");
    let error = third.validation.unwrap().error;
    assert!((error - error_before).abs() < 1e-3, "{error} {error_before}");

    for (from, to, reason) in [
        (
            "2x774-16",
            "2x774-12",
            "its net.layout is 2x774-16-8-1x8, here it is 2x774-12-8-1x8",
        ),
        (
            "tanh = { scale = 800.0 }",
            "linear = { centipawns = 800.0 }",
            "its net.curve is { tanh",
        ),
    ] {
        assert!(next.contains(from), "{from}");
        std::fs::write(&path, next.replace(from, to)).unwrap();
        fail(train(folder.path(), "out", &["--restart"]), reason);
    }
}

/// The recipe of a training `next` after `small` whose steps change nothing to speak of.
fn after_small(recipe: &str) -> String {
    let mut recipe = recipe.to_string();
    for (from, to) in [
        ("name = \"small\"", "name = \"next\""),
        ("clip = [1.5]", "clip = [1.5]\nafter = \"small\""),
        ("rate = 4e-3", "rate = 1e-9"),
    ] {
        assert!(recipe.contains(from), "{from}");
        recipe = recipe.replace(from, to);
    }
    recipe
}

/// The weights that an unfinished training has so far are taken, and it is said that they are not its last.
#[test]
fn a_training_after_an_unfinished_one_says_so() {
    let folder = workplace(8_000_000, "");
    let checkpoint = folder.path().join("out/small/checkpoint.safetensors");
    killed(train(folder.path(), "out", &[]), || checkpoint.exists(), || ());
    let path = folder.path().join("recipe.toml");
    let recipe = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, after_small(&recipe.replace("8000000", "12800"))).unwrap();
    let output = succeed(train(folder.path(), "out", &[]));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("the training small has not ended"), "{text}");
    assert!(text.contains("of 8,000,000 positions"), "{text}");
}

#[test]
fn a_seed_of_the_command_line_is_a_training_of_its_own() {
    let folder = workplace(128_000, "");
    succeed(train(folder.path(), "out", &[]));
    let (plain, _) = net_in(&folder.path().join("out"));
    succeed(train(folder.path(), "other", &["--seed", "7"]));
    let (reseeded, _) = net_in(&folder.path().join("other"));
    let [plain, reseeded] = [plain, reseeded].map(|path| Net::read(&path).unwrap());
    assert!(plain.tensors != reseeded.tensors);
    assert_eq!(reseeded.info.name, "small-seed7");
    assert!(reseeded.info.recipe.unwrap().contains("seed = 7\n"));
    assert!(folder.path().join("other/small-seed7/log.csv").exists());
}

/// In memory and streamed: a share of results that no position has would do nothing.
#[test]
fn a_share_of_results_asks_for_data_with_results() {
    let folder = workplace(12_800, "result_share = 0.3");
    let in_memory = std::fs::read_to_string(folder.path().join("recipe.toml")).unwrap();
    let streamed = in_memory.replace("files = [\"rows.csv\"]", "files = [\"shards\"]\nin_memory = 2");
    assert_ne!(streamed, in_memory);
    let run = |recipe: &str, out: &str| {
        std::fs::write(folder.path().join("recipe.toml"), recipe).unwrap();
        train(folder.path(), out, &[])
    };
    import_shards(folder.path());
    for recipe in [&in_memory, &streamed] {
        let reason = "schedule.result_share is 0.3, but no position of the data has a game's result";
        fail(run(recipe, "out"), reason);
    }

    let path = folder.path().join("rows.csv");
    let rows = std::fs::read_to_string(&path).unwrap();
    let won: String = rows.lines().map(|row| format!("{row},1-0\n")).collect();
    std::fs::write(&path, won).unwrap();
    std::fs::remove_dir_all(folder.path().join("shards")).unwrap();
    import_shards(folder.path());
    for (recipe, out) in [(&in_memory, "loaded"), (&streamed, "streamed")] {
        succeed(run(recipe, out));
        net_in(&folder.path().join(out));
    }
}
