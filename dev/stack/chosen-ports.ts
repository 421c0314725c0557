/**
 * Which port each part of a local stack listens on: the one it had before, else its usual one, else the next free one. The choice is kept,
 * so that addresses stay the same from start to start even when another clone runs beside this one.
 */
import type { LocalState } from './local-state.ts';
import { choosePort } from './ports.ts';
import type { RunnableName } from './process-names.ts';
import { describeProcess, PROCESS_NAMES } from './processes.ts';

const SERVER_PORTS = {
  mail: 8025,
  smtp: 1025,
  temporal: 7233,
  temporalUi: 8233,
  mongodb: 27017,
  minio: 9000,
  minioConsole: 9001,
} as const;

export type PortName = keyof typeof SERVER_PORTS | Exclude<RunnableName, 'lightServers'>;
export type Ports = Readonly<Record<PortName, number>>;

/** `lightServers` has none of its own: its servers listen on theirs. */
const RUNNABLE_NAMES: readonly RunnableName[] = [...PROCESS_NAMES, 'lightWorkers'];

export const USUAL_PORTS = {
  ...Object.fromEntries(RUNNABLE_NAMES.map((name) => [name, describeProcess(name).usualPort])),
  ...SERVER_PORTS,
} as Ports;

const FILE = 'ports.json';

export interface ChosenPorts {
  readonly ports: Ports;
  /** One sentence for each part that is not where people expect it. */
  readonly remarks: readonly string[];
}

export async function choosePorts(state: LocalState, usual: Ports = USUAL_PORTS): Promise<ChosenPorts> {
  const kept = (state.read(FILE) ?? {}) as Partial<Record<string, number>>;
  const taken = new Set<number>();
  const remarks: string[] = [];
  const ports: Record<string, number> = {};
  for (const [name, usualPort] of Object.entries(usual)) {
    const wanted = kept[name] ?? usualPort;
    const isFree = (await choosePort(wanted, taken)) === wanted;
    // The next free one is not another part's usual one: a taken port moves one part, not all after it.
    const others = Object.values(usual).filter((each) => each !== usualPort);
    const port = isFree ? wanted : await choosePort(usualPort, new Set([...taken, ...others]));
    taken.add(port);
    ports[name] = port;
    if (port !== usualPort) remarks.push(explain(name, usualPort, port, port === kept[name]));
  }
  state.write(FILE, ports);
  return { ports: ports as Ports, remarks };
}

function explain(name: string, usual: number, port: number, wasKept: boolean): string {
  return wasKept
    ? `${name} stays on port ${port}, as last time (\`npm run reset\` forgets it)`
    : `port ${usual} is taken: ${name} is on ${port}`;
}
