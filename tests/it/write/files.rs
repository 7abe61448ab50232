//! Files: there is the old one or the new one, and nothing beside them.

use crate::routes::given;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_npy::WriteOptions;
use std::cell::Cell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_failed_write_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    serde_npy::to_path(&path, &[1u8, 2]).unwrap();
    let old = fs::read(&path).unwrap();
    let error =
        serde_npy::to_path_with(&path, &vec![1i64; 100_000].into_iter().chain([300]).collect::<Vec<_>>(), &given("u1"))
            .unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "expected `|u1`, found integer `300`, which is beyond its range (at `[100000]`, file `{}`)",
            path.display()
        )
    );
    serde_npy::to_path(&path, &None::<u8>).unwrap_err();
    serde_npy::records_to_path_with(&path, &[(1, 300)], &given("u1,u1")).unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), old);
    assert_eq!(names(folder.path()), ["x.npy"]);
    serde_npy::to_path(&path, &[3u8]).unwrap();
    assert_eq!(serde_npy::from_path::<Vec<u8>>(&path).unwrap(), [3]);
    assert_eq!(names(folder.path()), ["x.npy"]);
}

/// A record that counts how often one is shown to a serializer, and fails or unwinds from some time on.
#[derive(Clone, Copy)]
struct Moody<'a> {
    shown: &'a Cell<usize>,
    fails_at: usize,
    unwinds: bool,
}

impl Serialize for Moody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.shown.set(self.shown.get() + 1);
        if self.shown.get() < self.fails_at {
            return serializer.serialize_u64(1);
        }
        if self.unwinds {
            // Without the message of a panic.
            resume_unwind(Box::new("the sensor is gone"));
        }
        Err(S::Error::custom("the sensor is gone"))
    }
}

/// Whichever pass over the value fails, and however far the new file has come by then.
#[test]
fn a_value_that_fails_half_way_leaves_the_old_file() {
    type Write = fn(&Path, &[Moody<'_>]) -> serde_npy::Result<()>;
    let routes: &[(&str, Write)] = &[
        ("x.npy", |path, records| serde_npy::to_path(path, records)),
        ("x.npy", |path, records| serde_npy::to_path_with(path, records, &given("<u4"))),
        ("x.npy", |path, records| serde_npy::to_path_with(path, records, &WriteOptions::default().fortran_order(true))),
        ("x.npy", |path, records| serde_npy::records_to_path(path, records)),
        ("x.npy", |path, records| {
            let mut writer = serde_npy::Writer::create(path)?;
            writer.write_block(records)?;
            writer.finish().map(drop)
        }),
        #[cfg(feature = "npz")]
        ("x.npz", |path, records| serde_npy::npz::to_path(path, records)),
        #[cfg(feature = "npz")]
        ("x.npz", |path, records| {
            serde_npy::npz::append(path, |archive| {
                archive.add("other", &1)?;
                archive.add_records("records", records)
            })
        }),
    ];
    // At each call of a few records, and at some of more than go into one block.
    const FEW: usize = 5;
    const MANY: usize = 40_000;
    for ((name, write), count) in routes.iter().flat_map(|route| [(route, FEW), (route, MANY)]) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let old = match *name {
            #[cfg(feature = "npz")]
            "x.npz" => serde_npy::npz::to_vec(&(1,)).unwrap(),
            _ => serde_npy::to_vec(&1).unwrap(),
        };
        fs::write(&path, &old).unwrap();
        let attempt = |fails_at: usize, unwinds: bool| {
            let shown = Cell::new(0);
            let records = vec![Moody { shown: &shown, fails_at, unwinds }; count];
            let result = catch_unwind(AssertUnwindSafe(|| write(&path, &records)));
            (result, shown.get())
        };
        let (written, passes) = attempt(usize::MAX, false);
        written.unwrap().unwrap();
        assert_ne!(fs::read(&path).unwrap(), old);
        assert!(passes >= count, "{name}: {passes}");
        fs::write(&path, &old).unwrap();
        let parts = if count == FEW { passes - 1 } else { 8 };
        for part in 0..=parts {
            let fails_at = 1 + (passes - 1) * part / parts;
            let (failed, _) = attempt(fails_at, false);
            let error = failed.unwrap().unwrap_err().to_string();
            assert!(error.starts_with("the sensor is gone"), "{name}, {fails_at}: {error}");
            attempt(fails_at, true).0.unwrap_err();
            assert_eq!(fs::read(&path).unwrap(), old, "{name}, {fails_at}");
            assert_eq!(names(folder.path()), [*name], "{fails_at}");
        }
    }
}

#[test]
fn a_folder_or_no_folder_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = serde_npy::to_path(folder.path(), &[1u8]).unwrap_err();
    assert!(error.io_error_kind().is_some(), "{error}");
    let error = serde_npy::to_path(folder.path().join("no/x.npy"), &[1u8]).unwrap_err();
    assert_eq!(error.io_error_kind(), Some(std::io::ErrorKind::NotFound));
    let place = folder.path().join("no").display().to_string();
    let reason = fs::metadata(&place).unwrap_err();
    assert_eq!(error.to_string(), format!("{reason}: the folder `{place}` (file `{place}/x.npy`)"));
    assert!(names(folder.path()).is_empty());
}

#[cfg(unix)]
mod unix {
    use super::names;
    use std::fs;
    use std::io::Read as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    fn mode(path: &std::path::Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn links_are_followed_and_modes_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link, chain) =
            (folder.path().join("x.npy"), folder.path().join("l.npy"), folder.path().join("c.npy"));
        serde_npy::to_path(&file, &[1u8]).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("x.npy", &link).unwrap();
        symlink(&link, &chain).unwrap();
        serde_npy::to_path(&chain, &[2u8]).unwrap();
        assert_eq!(serde_npy::from_path::<Vec<u8>>(&file).unwrap(), [2]);
        assert!(fs::symlink_metadata(&chain).unwrap().is_symlink());
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(mode(&file), 0o640);
        assert_eq!(names(folder.path()), ["c.npy", "l.npy", "x.npy"]);

        // A link to a file that is not there yet makes it.
        let dangling = folder.path().join("d.npy");
        symlink("new.npy", &dangling).unwrap();
        serde_npy::to_path(&dangling, &[3u8]).unwrap();
        assert_eq!(serde_npy::from_path::<Vec<u8>>(folder.path().join("new.npy")).unwrap(), [3]);

        let round = folder.path().join("r.npy");
        symlink("r.npy", &round).unwrap();
        let error = serde_npy::to_path(&round, &[3u8]).unwrap_err();
        assert_eq!(error.to_string(), format!("too many levels of symbolic links (file `{}`)", round.display()));
    }

    #[test]
    fn a_new_file_has_the_usual_mode() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, usual) = (folder.path().join("x.npy"), folder.path().join("y"));
        serde_npy::to_path(&ours, &[1u8]).unwrap();
        fs::write(&usual, b"").unwrap();
        assert_eq!(mode(&ours), mode(&usual));
    }

    #[test]
    fn a_relative_path_will_do() {
        // In the folder of the package, where tests run.
        let path = std::path::Path::new("serde_npy_test_of_a_relative_path.npy");
        let written = serde_npy::to_path(path, &[1u8]);
        let read = serde_npy::from_path::<Vec<u8>>(path);
        fs::remove_file(path).unwrap();
        written.unwrap();
        assert_eq!(read.unwrap(), [1]);
    }

    /// A pipe is written directly, and stays one.
    #[test]
    fn a_pipe_is_written_directly() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let reader = {
            let fifo = fifo.clone();
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                fs::File::open(fifo).unwrap().read_to_end(&mut bytes).unwrap();
                bytes
            })
        };
        serde_npy::to_path(&fifo, &[1u8, 2]).unwrap();
        assert_eq!(reader.join().unwrap(), serde_npy::to_vec(&[1u8, 2]).unwrap());
        assert!(!fs::metadata(&fifo).unwrap().is_file());
        assert_eq!(names(folder.path()), ["pipe"]);
    }

    #[test]
    fn a_device_is_written_directly() {
        serde_npy::to_path("/dev/null", &[1u8, 2]).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        #[cfg(target_os = "linux")]
        {
            let error = serde_npy::to_path("/dev/full", &[1u8, 2]).unwrap_err();
            assert_eq!(error.io_error_kind(), Some(std::io::ErrorKind::StorageFull));
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        let probe = fs::write(folder.path().join("probe"), b"");
        let result = serde_npy::to_path(folder.path().join("x.npy"), &[1u8]);
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        // Root may write anywhere.
        if probe.is_err() {
            assert_eq!(result.unwrap_err().io_error_kind(), Some(std::io::ErrorKind::PermissionDenied));
            assert!(names(folder.path()).is_empty());
        }
    }
}
