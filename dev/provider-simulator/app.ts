/** The simulator as one app: calls of the merchant, pages of customers, control of tests. */
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Logger } from '../../platform/log.ts';
import { fail, Refusal } from './answering.ts';
import { type CallsOptions, createCalls } from './calls.ts';
import { createControl } from './control.ts';
import { createPages } from './pages/pages.ts';

const MAX_BODY_BYTES = 65_536;
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])$/;

export interface AppOptions extends CallsOptions {
  readonly hosts: readonly string[];
  readonly log: Logger;
  readonly isReady: () => Promise<boolean>;
}

export function createSimulatorApp(options: AppOptions): Express {
  const app = express().disable('x-powered-by').disable('etag');
  app.use(({ headers }, response, next) => {
    response.set('x-content-type-options', 'nosniff');
    // Another name of this address would let a foreign page read it.
    if (isOwnHost(headers.host ?? '', [...options.hosts, new URL(options.url()).hostname])) next();
    else fail(response, 421, 'WRONG_HOST', 'The simulator has another name.');
  });
  app.get('/health/live', (_, response) => void response.json({ status: 'up' }));
  app.get('/health/ready', async (_, response) => {
    const ready = await options.isReady();
    response.status(ready ? 200 : 503).json({ status: ready ? 'up' : 'down' });
  });
  app.use(express.json({ limit: MAX_BODY_BYTES }));
  app.use(createCalls(options), createControl(options), createPages(options));
  app.use((_, response) => fail(response, 404, 'NOT_FOUND', 'There is no such address.'));
  return app.use(answerErrors(options.log));
}

function isOwnHost(host: string, names: readonly string[]): boolean {
  const name = host.replace(/:\d+$/, '');
  return LOOPBACK.test(name) || names.includes(name);
}

/** Refusals, and bodies that the parser refuses, say why; everything else is a defect of the simulator. */
function answerErrors(log: Logger): ErrorRequestHandler {
  return (error: Error & { status?: number }, request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof Refusal) return fail(response, error.status, error.code, error.message);
    if (error.status !== undefined && error.status < 500) return fail(response, error.status, 'INVALID', error.message);
    log.error({ err: error, method: request.method, path: request.path }, 'a call failed');
    fail(response, 500, 'INTERNAL', 'The simulator has failed.');
  };
}
