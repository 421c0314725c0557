/**
 * Measures the effect on other callers: reads of the database, of events and of the planner at a steady rate, from
 * another address.
 */
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answered, type Call, call, type Load, steadyLoad } from '../steady-load.ts';

export interface Others {
  measure(seconds: number): Promise<Load>;
  close(): void;
}

export function createOthers(url: string, token: string, topic: string, rate: number): Others {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const authorization = { authorization: `Bearer ${token}` };
  const query = JSON.stringify({ query: '{ serverInfo { version } }' });
  const calls: readonly Call[] = [
    { method: 'GET', url: `${url}/timetable/v1/codespaces/oth`, headers: authorization },
    { method: 'GET', url: `${url}/v1/events/${topic}`, headers: authorization },
    {
      method: 'POST',
      url: `${url}/journey-planner/v3/graphql`,
      headers: { 'content-type': 'application/json', 'content-length': query.length },
      body: query,
    },
  ];
  const ask = (at: number): Promise<Answered> => call(calls[at % calls.length] as Call, agent);
  return { measure: (seconds) => steadyLoad(rate, seconds, ask), close: () => agent.destroy() };
}

/** Stands in for the journey planner: the forwarding is measured, not the search. */
export async function startPlannerStub(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end('{"data":{}}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
