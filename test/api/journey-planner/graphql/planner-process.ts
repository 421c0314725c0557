/** Runs the endpoints of a planner process over one timetable, on a separate port and without limits on callers. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import express from 'express';
import pino from 'pino';
import { Registry } from 'prom-client';
import { readPlannerConfig } from '../../../../api/journey-planner/config.ts';
import { createPlannerRouters } from '../../../../api/journey-planner/routers.ts';
import type { Timetable } from '../../../../planner/index.ts';
import type { TripPlanner } from '../../../../planner/trip/trip-types.ts';
import { PLANNER_PUBLIC_KEYS } from '../../../support/planner-keys.ts';
import { SEVEN } from './network.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    // biome-ignore lint/suspicious/noExplicitAny: tests read members by name, and assertions check them
    readonly data?: any;
    readonly errors?: readonly {
      readonly message: string;
      readonly path?: readonly unknown[];
      readonly extensions?: Record<string, unknown>;
    }[];
    readonly extensions?: Record<string, unknown>;
  };
}

export interface PlannerProcess {
  readonly url: string;
  readonly logged: string[];
  sendQuery(dialect: 'v2' | 'v3', query: string, variables?: Record<string, unknown>): Promise<Answer>;
  /** Returns the data. Fails with the errors. */
  // biome-ignore lint/suspicious/noExplicitAny: see Answer
  data(dialect: 'v2' | 'v3', query: string, variables?: Record<string, unknown>): Promise<any>;
  post(dialect: 'v2' | 'v3', body: string, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

/** No test here searches trips. */
const noPlanner: TripPlanner = { trip: () => Promise.reject(new Error('No trips in this test')) };

export const ENVIRONMENT = {
  ENVIRONMENT: 'development',
  PORT: '0',
  MONGODB_URI: 'mongodb://unused.test',
  S3_ENDPOINT: 'http://unused.test',
  S3_ACCESS_KEY_ID: 'unused',
  S3_SECRET_ACCESS_KEY: 'unused',
  PLANNER_ID_KEYS: `test:${Buffer.alloc(32, 1).toString('base64')}`,
  PLANNER_PUBLIC_KEYS,
};

export async function startPlanner(
  timetable: Timetable | undefined,
  environment: Record<string, string> = {},
  planner: TripPlanner = noPlanner,
  others: readonly Timetable[] = [],
): Promise<PlannerProcess> {
  const logged: string[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const routers = createPlannerRouters({
    timetable: () => timetable,
    timetableOf: (wanted) => [timetable, ...others].find((known) => known?.snapshotId === wanted),
    planner,
    now: () => SEVEN,
    config: readPlannerConfig({ ...ENVIRONMENT, ...environment }),
    log: pino(sink),
    metrics: new Registry(),
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = express()
      .use(...routers)
      .listen(0, '127.0.0.1', () => resolve(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = async (dialect: string, body: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const response = await fetch(`${url}/journey-planner/${dialect}/graphql`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  };
  const sendQuery = (dialect: string, query: string, variables?: Record<string, unknown>) =>
    post(dialect, JSON.stringify({ query, ...(variables ? { variables } : {}) }));
  return {
    url,
    logged,
    post,
    sendQuery,
    async data(dialect, query, variables) {
      const { body } = await sendQuery(dialect, query, variables);
      if (body.errors)
        throw new Error(body.errors.map(({ message, path }) => `${path?.join('.') ?? ''}: ${message}`).join('\n'));
      return body.data;
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}
