/** Prometheus metrics of token requests by outcome. They never name a client. */
import { Counter, type Registry } from 'prom-client';
import { TOKEN_OUTCOMES, type TokenOutcome } from './token-outcome.ts';

/** Call the result with the outcome of each request. */
export function createTokenMetrics(registry: Registry): (outcome: TokenOutcome) => void {
  const requests = new Counter({
    name: 'auth_token_requests_total',
    help: 'Requests for a token, by what came of them',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const label = (outcome: TokenOutcome) => ({ outcome: outcome.replaceAll(' ', '_') });
  // A series that starts with its first count hides that count from `rate`, so each one starts at 0.
  for (const outcome of TOKEN_OUTCOMES) requests.inc(label(outcome), 0);
  return (outcome) => requests.inc(label(outcome));
}
