/**
 * Chooses the port of each part of a local stack: its previous one, else its usual one, else the next free one. The
 * choice is stored, so addresses stay the same even if another clone runs beside this one.
 */

import { HELPER_NAMES } from './helper-processes.ts';
import type { LocalState } from './local-state.ts';
import { choosePort } from './ports.ts';
import type { RunnableName } from './process-names.ts';
import { describeProcess, PROCESS_NAMES } from './processes.ts';

const SERVER_PORTS = {
  authAdmin: 8091,
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

/** `lightServers` has no port itself: its servers listen on theirs. */
const RUNNABLE_NAMES: readonly RunnableName[] = [...PROCESS_NAMES, ...HELPER_NAMES, 'lightWorkers'];

export const USUAL_PORTS = {
  ...Object.fromEntries(RUNNABLE_NAMES.map((name) => [name, describeProcess(name).usualPort])),
  ...SERVER_PORTS,
} as Ports;

const FILE = 'ports.json';

export interface ChosenPorts {
  readonly ports: Ports;
  /** About the parts that do not have their usual port. */
  readonly remarks: readonly string[];
}

/** Undefined if nothing was started from this folder since the last reset. */
export function readPorts(state: LocalState): Ports | undefined {
  return state.read(FILE) as Ports | undefined;
}

export async function choosePorts(state: LocalState, usual: Ports = USUAL_PORTS): Promise<ChosenPorts> {
  const kept = (readPorts(state) ?? {}) as Partial<Record<string, number>>;
  const taken = new Set<number>();
  const remarks: string[] = [];
  const stayed: string[] = [];
  const ports: Record<string, number> = {};
  for (const [name, usualPort] of Object.entries(usual)) {
    const wanted = kept[name] ?? usualPort;
    const isFree = (await choosePort(wanted, taken)) === wanted;
    // Skip the usual and the kept ports of other parts, so that a taken port moves one part instead of all after it.
    const ofOthers = Object.entries(kept).flatMap(([other, each]) =>
      other === name || each === undefined ? [] : [each],
    );
    const others = [...Object.values(usual).filter((each) => each !== usualPort), ...ofOthers];
    const port = isFree ? wanted : await choosePort(usualPort, new Set([...taken, ...others]));
    taken.add(port);
    ports[name] = port;
    if (port === usualPort) continue;
    if (port === kept[name]) stayed.push(`${name} ${port}`);
    else remarks.push(`${name} is on port ${port}, since another program uses ${wanted}`);
  }
  state.write(FILE, ports);
  if (stayed.length > 0) remarks.push(`Ports as last time (\`npm run reset\` forgets them): ${stayed.join(', ')}`);
  return { ports: ports as Ports, remarks };
}
