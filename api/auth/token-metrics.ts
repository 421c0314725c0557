/** What the authentication server tells Prometheus of the tokens it was asked for. Never who asked. */
import { Counter, type Registry } from 'prom-client';
import { TOKEN_OUTCOMES, type TokenOutcome } from './token-outcome.ts';

/** To be called with the outcome of each request. */
export function createTokenMetrics(registry: Registry): (outcome: TokenOutcome) => void {
  const requests = new Counter({
    name: 'auth_token_requests_total',
    help: 'Requests for a token, by what came of them',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const label = (outcome: TokenOutcome) => ({ outcome: outcome.replaceAll(' ', '_') });
  // Each is there from the start: a rate over what appears with its first case would miss that one.
  for (const outcome of TOKEN_OUTCOMES) requests.inc(label(outcome), 0);
  return (outcome) => requests.inc(label(outcome));
}
