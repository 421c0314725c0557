/**
 * `node docker/image/healthcheck.mjs ready|live`: how a container is asked whether it is well. Asks the process beside
 * it on its own port, ends with 0 or 1, and says why not. Plain JavaScript on Node's own modules, because it runs every
 * few seconds in each container.
 */
const [what = 'ready'] = process.argv.slice(2);
const { HOST = '127.0.0.1', PORT } = process.env;
const everywhere = ['0.0.0.0', '::'];
const url = `http://${everywhere.includes(HOST) ? '127.0.0.1' : HOST}:${PORT}/health/${what}`;
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(4_000), redirect: 'error' });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`it answers ${answer.status}: ${text}`);
} catch (error) {
  process.stderr.write(`${url}: ${error.cause?.message ?? error.message}\n`);
  process.exitCode = 1;
}
