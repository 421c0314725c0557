/**
 * Preloaded into a process by `--import`: tells at its end how many modules of tracing it has loaded. The bare interface of
 * OpenTelemetry does not count: prom-client brings it.
 */
import { registerHooks } from 'node:module';

const loaded = new Set<string>();

registerHooks({
  load(url, context, nextLoad) {
    if (/@opentelemetry\/(?!api\/)|interceptors-opentelemetry|tracing-otel/.test(url)) loaded.add(url);
    return nextLoad(url, context);
  },
});
process.on('exit', () => process.stderr.write(`\nmodules of tracing: ${loaded.size}\n`));
