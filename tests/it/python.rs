//! A Python with NumPy, the judge of what we write.
//!
//! The checks that need one run where `python3` can import NumPy 2 or newer. With `SERDE_NPY_LIVE=1`, or where `CI` is
//! set, they always run, with pandas and SciPy too, in a virtual environment under `target/` if need be; without a Python they
//! then fail.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const PROBE_NUMPY: &str = "import numpy; assert int(numpy.__version__.split('.')[0]) >= 2";
const PROBE_ALL: &str = "import numpy, pandas, scipy; assert int(numpy.__version__.split('.')[0]) >= 2";

/// What `script` prints when it is given `stdin`; `None` where there is no Python with NumPy.
///
/// # Panics
///
/// Where the script fails, with what it said.
#[track_caller]
pub(crate) fn python(script: &str, stdin: &[u8]) -> Option<Vec<u8>> {
    python_with(script, &[], stdin)
}

/// [`python`] with arguments for the script.
#[track_caller]
pub(crate) fn python_with(script: &str, arguments: &[&str], stdin: &[u8]) -> Option<Vec<u8>> {
    let mut command = command(script, arguments)?;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("python starts");
    let mut pipe = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // Beside the reading, so that neither side waits for the other with a full pipe. A script that stops early
        // closes the pipe: its exit status tells why.
        scope.spawn(move || drop(pipe.write_all(stdin)));
        child.wait_with_output().expect("python ends")
    });
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "python failed with {}:\n{said}\nin the script:\n{script}", output.status);
    Some(output.stdout)
}

/// A Python that is to run `script`; `None` where there is none with NumPy.
pub(crate) fn command(script: &str, arguments: &[&str]) -> Option<Command> {
    let mut command = Command::new(interpreter()?);
    command.args(["-c", script]).args(arguments);
    Some(command)
}

/// Looked for once in a process.
fn interpreter() -> Option<&'static Path> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(find).as_deref()
}

fn find() -> Option<PathBuf> {
    // A check that is skipped where nobody looks at what is printed would be none.
    let live = std::env::var_os("SERDE_NPY_LIVE").is_some_and(|value| value == "1") || std::env::var_os("CI").is_some();
    let probe = if live { PROBE_ALL } else { PROBE_NUMPY };
    let environment = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/venv");
    let ours = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python3" });
    for candidate in [Path::new("python3"), &ours] {
        if run(candidate, ["-c", probe]).is_ok() {
            return Some(candidate.to_owned());
        }
    }
    if !live {
        eprintln!("skipped: python3 cannot import NumPy 2, and neither SERDE_NPY_LIVE=1 nor CI is set");
        return None;
    }
    // Another test process may be at it too.
    std::fs::create_dir_all(environment.parent().unwrap()).unwrap();
    let lock = File::create(environment.with_extension("lock")).unwrap();
    lock.lock().unwrap();
    if run(&ours, ["-c", probe]).is_err() {
        run(Path::new("python3"), [OsStr::new("-m"), OsStr::new("venv"), environment.as_os_str()])
            .and_then(|()| run(&ours, ["-m", "pip", "install", "--quiet", "numpy>=2", "pandas", "scipy"]))
            .and_then(|()| run(&ours, ["-c", probe]))
            .unwrap_or_else(|error| {
                panic!("expected a Python with NumPy, pandas and SciPy (SERDE_NPY_LIVE=1), found {error}")
            });
    }
    Some(ours)
}

fn run<A: AsRef<OsStr>>(program: &Path, arguments: impl IntoIterator<Item = A>) -> Result<(), String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("`{}`: {error}", program.display()))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

#[test]
fn python_reads_its_input_and_prints() {
    let script = "import sys, numpy; sys.stdout.buffer.write(bytes(reversed(sys.stdin.buffer.read())))";
    // More than any pipe holds.
    let long: Vec<u8> = (0..=250).cycle().take(1 << 20).collect();
    let Some(mut printed) = python(script, &long) else { return };
    printed.reverse();
    assert_eq!(printed, long);
}

#[test]
#[should_panic(expected = "SystemExit: told so")]
fn a_script_that_fails_says_why() {
    let script = "import sys, traceback\ntry: sys.exit('told so')\nexcept SystemExit: traceback.print_exc(); raise";
    if python(script, b"").is_none() {
        panic!("SystemExit: told so (no Python to ask)");
    }
}
