/** What a process of the service is started from. Types only. Callers: the lists of processes. */
import type { Environment } from '../../platform/config.ts';
import type { ProcessSetting } from './process-environment.ts';

export interface ProcessDescription {
  readonly title: string;
  /** Port in a local stack; tests use free ones. */
  readonly usualPort: number;
  /** Path relative to the project, unless the entry is built elsewhere. */
  readonly entry: string | ((setting: ProcessSetting) => string);
  readonly args?: readonly string[];
  /** Variables in addition to those of every process. */
  readonly environment: (setting: ProcessSetting) => Environment;
  readonly nodeFlags?: readonly string[];
  /** Node flags in the composition, if they differ. */
  readonly composedNodeFlags?: readonly string[];
  /** `live` for a process that becomes ready only with later data; the default is `ready`. */
  readonly startedWhen?: 'live' | 'ready';
}
