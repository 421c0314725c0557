/** Makes the adapter of the simulator from the configuration of a process. Caller: the list of adapters. */
import type { MakeProvider } from './provider-base.ts';
import { createSimulatorProvider } from './simulator.ts';
import { simulatorSettingOf, simulatorShape } from './simulator-config.ts';

export const makeSimulator: MakeProvider = ({ readConfig, eventEnvironment }) =>
  createSimulatorProvider(simulatorSettingOf(readConfig(simulatorShape), eventEnvironment));
