/**
 * Prints the number of loaded tracing modules when the process ends. Preloaded by `--import`. The interface of
 * OpenTelemetry does not count, as prom-client imports it.
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
