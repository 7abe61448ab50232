//! Every golden file through a view: each index, range, axis and field, as `from_slice` has it of the whole.

use crate::manifest;
use crate::tree::Tree;
use serde_npy::{BytesAs, LongDouble, ReadOptions, View};

/// The trees along the first axis.
fn items(tree: &Tree) -> &[Tree] {
    match tree {
        Tree::Seq(items) => items,
        other => panic!("expected a sequence, found {other:?}"),
    }
}

/// What lies at an index of an axis of nested sequences.
fn at(tree: &Tree, axis: usize, index: usize) -> Tree {
    match axis {
        0 => items(tree)[index].clone(),
        _ => Tree::Seq(items(tree).iter().map(|item| at(item, axis - 1, index)).collect()),
    }
}

/// Each element under `ndim` axes as its field has it.
fn field(tree: &Tree, ndim: usize, name: &str) -> Tree {
    match (ndim, tree) {
        (0, Tree::Map(entries)) => entries.iter().find(|(key, _)| key == name).unwrap().1.clone(),
        (0, other) => panic!("expected a map, found {other:?}"),
        _ => Tree::Seq(items(tree).iter().map(|item| field(item, ndim - 1, name)).collect()),
    }
}

fn options(reads: &str) -> ReadOptions {
    match reads {
        "long_double" => ReadOptions::default().long_double(LongDouble::X87),
        "utf-8" => ReadOptions::default().bytes_as(BytesAs::Bytes),
        _ => ReadOptions::default(),
    }
}

/// Compares a view with what the whole is, by every way into it.
fn compare(view: &View<'_>, tree: &Tree, name: &str, depth: usize) -> usize {
    assert_eq!(view.deserialize::<Tree>().unwrap(), *tree, "{name}: whole");
    let mut compared = 1;
    if view.ndim() == 0 {
        assert_eq!(view.len(), 1, "{name}");
        assert_eq!(view.get::<Tree>(0).unwrap(), *tree, "{name}");
        assert_eq!(view.records::<Tree>(..).unwrap(), std::slice::from_ref(tree), "{name}");
        assert_eq!(view.iter::<Tree>().next_back().unwrap().unwrap(), *tree, "{name}");
    } else {
        let all = items(tree);
        assert_eq!(view.len(), all.len() as u64, "{name}");
        for (index, item) in all.iter().enumerate() {
            assert_eq!(view.get::<Tree>(index as u64).unwrap(), *item, "{name}[{index}]");
        }
        let forward: Vec<Tree> = view.iter().map(Result::unwrap).collect();
        assert_eq!(forward, all, "{name}: forward");
        let mut backward: Vec<Tree> = view.iter().rev().map(Result::unwrap).collect();
        backward.reverse();
        assert_eq!(backward, all, "{name}: backward");
        let most = if depth == 0 { all.len().min(5) } else { 0 };
        for (start, end) in (0..=most).flat_map(|start| (start..=most).map(move |end| (start, end))) {
            let range = start as u64..end as u64;
            assert_eq!(view.records::<Tree>(range.clone()).unwrap(), all[start..end], "{name}[{start}:{end}]");
            let slice = view.slice(range).unwrap();
            assert_eq!(slice.deserialize::<Tree>().unwrap(), Tree::Seq(all[start..end].to_vec()), "{name}");
            let part: Vec<Tree> = slice.iter().map(Result::unwrap).collect();
            assert_eq!(part, all[start..end], "{name}[{start}:{end}]");
            compared += 1;
        }
        if depth < 2 {
            for axis in 0..view.ndim() {
                for index in 0..view.shape()[axis].min(3) {
                    let name = format!("{name} axis {axis} index {index}");
                    compared +=
                        compare(&view.axis(axis, index).unwrap(), &at(tree, axis, index as usize), &name, depth + 1);
                }
            }
        }
    }
    if let serde_npy::DType::Struct(record) = view.dtype() {
        for known in record.fields().iter().take(12) {
            // A name that occurs as the title of another field still means the field.
            let expected = field(tree, view.ndim(), known.name());
            let part = view.field(&[known.name()]).unwrap();
            assert_eq!(part.dtype(), known.dtype(), "{name}");
            compared += compare(&part, &expected, &format!("{name}.{}", known.name()), depth + 2);
            if view.ndim() == 1 {
                assert_eq!(view.column::<Tree>(&[known.name()]).unwrap().to_vec().unwrap(), items(&expected), "{name}");
            }
        }
    }
    compared
}

#[test]
fn views_have_what_the_whole_has() {
    let (mut files, mut compared) = (0, 0);
    for golden in manifest::golden().iter().filter(|golden| golden.position == 0) {
        if matches!(&*golden.reads, "object" | "bool" | "text" | "limit")
            || golden.header.shape.iter().product::<u64>() > 100
        {
            continue;
        }
        let file = golden.read();
        let options = options(&golden.reads);
        let tree: Tree = serde_npy::from_slice_with(&file, &options).unwrap();
        let view = View::new_with(&file, &options).unwrap_or_else(|error| panic!("{}: {error}", golden.file));
        assert_eq!(*view.header(), serde_npy::Header::read(&file[..]).unwrap());
        compared += compare(&view, &tree, &golden.file, 0);
        let twice = view.transpose().transpose();
        assert_eq!(twice.deserialize::<Tree>().unwrap(), tree, "{}: transposed twice", golden.file);
        if view.ndim() > 0 {
            let transposed = view.transpose();
            let last = view.ndim() - 1;
            for index in 0..view.shape()[last].min(5) {
                let expected = at(&tree, last, index as usize);
                let expected = if view.ndim() == 2 { expected } else { continue };
                assert_eq!(transposed.get::<Tree>(index).unwrap(), expected, "{}: T[{index}]", golden.file);
            }
        }
        files += 1;
    }
    assert!(files > 250 && compared > 2000, "{files} files, {compared} views compared");
}

#[test]
fn what_the_whole_refuses_a_view_refuses_in_the_same_words() {
    let mut refused = 0;
    for golden in manifest::golden().iter().filter(|golden| golden.position == 0) {
        if !matches!(&*golden.reads, "object" | "bool" | "text" | "utf-8" | "long_double") {
            continue;
        }
        let file = golden.read();
        let expected = serde_npy::from_slice::<Tree>(&file).unwrap_err().to_string();
        let view = match View::new(&file) {
            Ok(view) => view,
            Err(error) => {
                assert_eq!(error.to_string(), expected, "{}", golden.file);
                refused += 1;
                continue;
            }
        };
        assert_eq!(view.deserialize::<Tree>().unwrap_err().to_string(), expected, "{}", golden.file);
        assert_eq!(view.records::<Tree>(..).unwrap_err().to_string(), expected, "{}", golden.file);
        let first = view.iter::<Tree>().find_map(Result::err).unwrap();
        assert_eq!(first.to_string(), expected, "{}", golden.file);
        refused += 1;
    }
    assert!(refused > 10, "{refused} files refused");
}
