/** Names of the service's own processes: the servers, and the worker roles of the manifests. */
import type { AREAS } from '../../activities/areas.ts';

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type RoleName<A> = A extends { readonly roles: readonly { readonly name: infer Name extends string }[] } ? Name : never;

/** For example, `timetableWorker` for the role `timetable-worker`. */
export type WorkerName = Camel<RoleName<(typeof AREAS)[number]>>;
/** Name of a process that runs alone. */
export type ProcessName = 'auth' | 'api' | 'paymentPage' | 'journeyPlanner' | 'codec' | WorkerName;
/** Name of a process that several of these share. */
export type SharedName = 'lightServers' | 'lightWorkers';
/** Name of a process that only development and tests have. */
export type HelperName = 'providerSimulator';
export type RunnableName = ProcessName | SharedName | HelperName;

export function camelCase(name: string): ProcessName {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as ProcessName;
}

/** `PAYMENT_PAGE` for `paymentPage`, before the variables of a server that shares its process. */
export function variableName(name: string): string {
  return kebabCase(name).replaceAll('-', '_').toUpperCase();
}

export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
