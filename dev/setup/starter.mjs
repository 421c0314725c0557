/**
 * Tells a script of package.json that the npm which runs it has ended. npm passes SIGTERM and SIGINT on, but nothing
 * reaches its script when npm itself is killed. The script names npm by `STARTED_BY=$PPID exec …`: with `exec` no shell
 * stands between the two, so that signals arrive and the parent process is npm. Plain JavaScript, because the set-up
 * runs on the system's Node.
 */
const LOOK_MS = 250;

/**
 * Calls `onGone` once when the process that STARTED_BY names is no longer the parent of this one. Without the variable
 * it never does.
 */
export function watchStarter(onGone, env = process.env) {
  const starter = Number(env.STARTED_BY);
  // Not for the processes that this one starts: their parent is another.
  delete env.STARTED_BY;
  if (!starter) return;
  const timer = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  timer.unref();
}
