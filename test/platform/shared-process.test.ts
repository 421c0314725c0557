/**
 * Tests parts that share a process: their own variables, interfaces between areas, and the start and stop of all parts.
 */
import assert from 'node:assert/strict';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import pino from 'pino';
import { z } from 'zod';
import { ConfigError, readConfigOf } from '../../platform/config.ts';
import { Interfaces, interfaceKey } from '../../platform/interfaces.ts';
import { connectPatiently } from '../../platform/process/connect.ts';
import type { Started } from '../../platform/process/run-process.ts';
import { startTogether } from '../../platform/process/start-together.ts';
import { startTracing, stopTracing, tracing } from '../../platform/tracing/tracing.ts';
import type { LoadedRole } from '../../workers/shared/load-role.ts';
import type { Resources } from '../../workers/shared/resources.ts';
import { startRoles } from '../../workers/shared/start-roles.ts';

describe('the configuration of one of several servers', () => {
  const shape = { PORT: z.coerce.number(), AUDIENCE: z.string() };
  const environment = { PORT: '1', AUDIENCE: 'all', AUTH__PORT: '2', CODEC__PORT: '3' };

  it('prefers its own variables to common ones', () => {
    assert.deepEqual(readConfigOf('auth', environment)(shape), { PORT: 2, AUDIENCE: 'all' });
    assert.deepEqual(readConfigOf('codec', environment)(shape), { PORT: 3, AUDIENCE: 'all' });
    assert.deepEqual(readConfigOf('mail', environment)(shape), { PORT: 1, AUDIENCE: 'all' });
  });

  it('names the wrong variable', () => {
    assert.throws(() => readConfigOf('auth', { AUTH__PORT: 'x', AUDIENCE: 'all' })(shape), /PORT: /);
  });
});

describe('an interface between areas', () => {
  const KEY = interfaceKey<() => number>('numbers');

  it('is found when an area has provided it', () => {
    const interfaces = new Interfaces();
    interfaces.provide(KEY, () => 7);
    assert.equal(interfaces.get(KEY)(), 7);
  });

  it('has one provider, and cannot be requested without one', () => {
    const interfaces = new Interfaces();
    assert.throws(() => interfaces.get(KEY), /No area in activities\/areas\.ts provides the interface numbers/);
    interfaces.provide(KEY, () => 7);
    assert.throws(() => interfaces.provide(KEY, () => 8), /Two areas provide the interface numbers/);
  });
});

describe('a start that waits for its servers', () => {
  const log = pino({ level: 'silent' });

  it('ends with an error that waiting cannot cure', async () => {
    const connect = async () => Promise.reject(new ConfigError(['PARCEL_KEYS: is missing']));
    await assert.rejects(connectPatiently('mongodb', log, connect), /PARCEL_KEYS: is missing/);
  });
});

describe('parts that start together', () => {
  const log = pino({ level: 'silent' });
  const steps: string[] = [];
  const part = (name: string, end: () => Promise<void> = async () => {}) => {
    const note = (step: string) => async () => void steps.push(`${name} ${step}`);
    return async (): Promise<Started> => ({
      log,
      url: name,
      reload: note('reload'),
      stop: [note('drained'), end, note('closed')],
    });
  };

  it('are reloaded and stopped together, each in its own order', async () => {
    steps.length = 0;
    const started = await startTogether([part('a'), part('b')]);
    assert.equal(started.url, 'a b');
    started.reload?.();
    for (const stop of started.stop) await stop();
    assert.deepEqual(steps.sort(), ['a closed', 'a drained', 'a reload', 'b closed', 'b drained', 'b reload']);
  });

  it('all stop completely when one of them fails to, and the failure is reported', async () => {
    steps.length = 0;
    const failing = part('a', async () => {
      throw new Error('held up');
    });
    const started = await startTogether([failing, part('b')]);
    await assert.rejects(async () => await started.stop[0]?.(), /held up/);
    assert.deepEqual(steps.sort(), ['a closed', 'a drained', 'b closed', 'b drained']);
  });
});

describe('tracing of servers that start side by side', () => {
  const complaints: string[] = [];
  const note = (message: string) => void complaints.push(message);
  before(() => diag.setLogger({ error: note, warn: note, info: note, debug: note, verbose: note }, DiagLogLevel.ERROR));
  after(async () => {
    diag.disable();
    await stopTracing();
  });

  it('is set up once for the process', async () => {
    const config = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_SAMPLER_ARG: 1 };
    await Promise.all(['auth', 'codec'].map((name) => startTracing({ name, revision: 'r' }, config)));
    assert.ok(tracing());
    assert.deepEqual(complaints, []);
  });
});

describe('worker roles that share a process', () => {
  const started: string[] = [];
  const turns = { turnsOf: () => () => {} };
  const resources = { logOf: () => pino({ level: 'silent' }), turns } as Pick<Resources, 'logOf'> as Resources;
  const role = (name: string, ready: Promise<void>): LoadedRole => {
    const run = async () => void started.push(`${name} repeats`);
    const start = () => {
      started.push(`${name} takes tasks`);
      return {};
    };
    const part = { repeated: [{ name, everyMs: 60_000, run }] };
    return { name, create: async () => await ready.then(() => ({ part, start })) };
  };

  it('take no task before the parts of all roles are made', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const starting = startRoles([role('a', Promise.resolve()), role('b', promise)], resources);
    await new Promise(setImmediate);
    assert.deepEqual(started, []);
    resolve();
    const running = await starting;
    assert.deepEqual(started.sort(), ['a repeats', 'a takes tasks', 'b repeats', 'b takes tasks']);
    await Promise.all(running.flatMap(({ repetitions }) => repetitions.map((repetition) => repetition.stop())));
  });

  it('take none when one role cannot be made', async () => {
    started.length = 0;
    await assert.rejects(
      startRoles([role('a', Promise.resolve()), role('b', Promise.reject(new Error('no keys')))], resources),
      /no keys/,
    );
    assert.deepEqual(started, []);
  });
});
