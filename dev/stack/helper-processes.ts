/** Processes that only development and tests have. Callers: processes.ts and the modules of the local stack. */
import type { ProcessDescription } from './process-description.ts';
import type { HelperName, RunnableName } from './process-names.ts';
import { besideUri } from './servers.ts';

/** The payment provider's books are its own: they lie beside the data, and no back-up of the service holds them. */
export const SIMULATOR_DATABASE = 'samferd_provider_simulator';

/** Processes that only development and tests have, each alone. No image of the service holds them. */
export const HELPERS: Readonly<Record<HelperName, ProcessDescription>> = {
  providerSimulator: {
    title: 'Payment provider simulator',
    usualPort: 8083,
    entry: 'dev/provider-simulator/server.ts',
    environment: ({ servers: { MONGODB_URI }, secrets }) => ({
      ...(MONGODB_URI && { MONGODB_URI: besideUri(MONGODB_URI, SIMULATOR_DATABASE) }),
      PAYMENT_SIMULATOR_SECRET: secrets.paymentSimulatorSecret,
    }),
  },
};

export const HELPER_NAMES = Object.keys(HELPERS) as readonly HelperName[];

export function isHelper(name: RunnableName): name is HelperName {
  return name in HELPERS;
}
