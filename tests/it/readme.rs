//! The README is read where nothing resolves its links and hides lines of its programs: on GitHub and crates.io.

use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

/// Whether the sources declare a public item of a kind and name; not whether it is where a path says.
fn declares(sources: &str, kind: &str, name: &str) -> bool {
    let item = format!("pub {kind} {name}");
    sources.match_indices(&item).any(|(start, _)| {
        let behind = sources[start + item.len()..].chars().next();
        behind.is_some_and(|char| !char.is_alphanumeric() && char != '_')
    })
}

#[test]
fn links_name_items_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let mut paths = Vec::new();
    files(&root.join("src"), &mut paths);
    let sources: String = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let mut links = 0;
    for line in readme.lines() {
        let Some((_, path)) = line.split_once("]: https://docs.rs/serde_npy/latest/serde_npy/") else { continue };
        let (page, method) = path.split_once("#method.").map_or((path, None), |(page, method)| (page, Some(method)));
        let (module, file) = page.rsplit_once('/').unwrap_or(("", page));
        assert!(module.is_empty() || module.split('/').all(|name| declares(&sources, "mod", name)), "{line}");
        match file.split('.').collect::<Vec<_>>()[..] {
            ["index", "html"] => assert!(!module.is_empty(), "{line}"),
            [kind @ ("fn" | "struct" | "enum"), name, "html"] => assert!(declares(&sources, kind, name), "{line}"),
            _ => panic!("{line}"),
        }
        assert!(method.is_none_or(|method| declares(&sources, "fn", method)), "{line}");
        links += 1;
    }
    assert!(links > 40, "{links}");
}

#[test]
fn programs_hide_nothing_and_links_are_defined() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let parts: Vec<&str> = readme.split("```").collect();
    for program in parts.iter().skip(1).step_by(2) {
        assert!(!program.lines().any(|line| line == "#" || line.starts_with("# ")), "{program}");
    }
    let text: String = parts.iter().step_by(2).copied().collect();
    for link in text.split("[`").skip(1) {
        let Some((name, behind)) = link.split_once("`]") else { continue };
        assert!(!behind.starts_with('('), "{name}");
        assert!(readme.contains(&format!("\n[`{name}`]: https://")), "{name}");
    }
}
