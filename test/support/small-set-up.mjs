/**
 * A small set-up that npm runs as prestart: it waits for a tool that never ends and that runs another. Prints the
 * process ids as JSON.
 */
import { endWithSignals, run } from '../../dev/setup/run.mjs';

endWithSignals();
const tool = `const { spawn } = require('node:child_process');
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)']);
  console.log(JSON.stringify([process.pid, other.pid])); setInterval(() => {}, 1_000);`;
const onLine = (line) => console.log(JSON.stringify({ pids: [process.pid, process.ppid, ...JSON.parse(line)] }));
await run(process.execPath, ['-e', tool], { onLine });
