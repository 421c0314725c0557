/** Composes the customers area for the API process. Callers: api/server.ts, by the area's name; tests. */

import { ConsentStore } from '../../activities/customers/consent-store.ts';
import {
  type CustomerStoreOptions,
  customerShape,
  openCustomerStores,
} from '../../activities/customers/customer-config.ts';
import { LoginFailureStore } from '../../activities/customers/login-failures.ts';
import { Passwords } from '../../activities/customers/passwords.ts';
import { startProfileErasure } from '../../activities/customers/profile-erasure-start.ts';
import { ProfileItemStore } from '../../activities/customers/profile-item-store.ts';
import { ProfileLifecycleStore } from '../../activities/customers/profile-lifecycle-store.ts';
import { ProfileStore } from '../../activities/customers/profile-store.ts';
import {
  convertTemporaryProfile,
  signalEraseNow,
  signalExpirationChanged,
  startTemporaryProfile,
} from '../../activities/customers/temporary-profile-start.ts';
import { CATALOGUE, type CatalogueReader } from '../../activities/shared/catalogue.ts';
import { AnswerSeal } from '../../platform/personal/answer-seal.ts';
import type { TemporalClient } from '../../platform/temporal/temporal.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { authenticateShape, passwordOptions } from './config.ts';
import type { CustomersDependencies, CustomerWorkflows, LoginLimits } from './dependencies.ts';
import { createCustomersArea } from './routes.ts';

export interface CustomersParts {
  readonly options: CustomerStoreOptions;
  readonly temporal: TemporalClient;
  readonly catalogue: CatalogueReader;
  readonly loginLimits: LoginLimits;
  readonly passwords?: Passwords;
}

export function composeCustomers({ options, temporal, ...parts }: CustomersParts): CustomersDependencies {
  const { connection, searchKeys, now = () => new Date() } = options;
  return {
    profiles: new ProfileStore(options),
    items: {
      postalAddresses: new ProfileItemStore('postalAddresses', options),
      preferences: new ProfileItemStore('preferences', options),
      eCards: new ProfileItemStore('eCards', options),
      loyaltyPrograms: new ProfileItemStore('loyaltyPrograms', options),
    },
    consents: new ConsentStore(options),
    lifecycle: new ProfileLifecycleStore(options),
    workflows: workflowsOf(temporal),
    passwords: new Passwords(),
    searchKeys,
    loginFailures: new LoginFailureStore({ connection, now }),
    now,
    ...parts,
  };
}

function workflowsOf(temporal: TemporalClient): CustomerWorkflows {
  return {
    startTemporaryProfile: (input) => startTemporaryProfile(temporal, input),
    signalExpirationChanged: (input) => signalExpirationChanged(temporal, input),
    signalEraseNow: (input) => signalEraseNow(temporal, input),
    startProfileErasure: (input) => startProfileErasure(temporal, input),
    convert: (conversion) => convertTemporaryProfile(temporal, conversion),
  };
}

/** Called once when a process starts. */
export async function ensureCustomerIndexes({ profiles, loginFailures }: CustomersDependencies): Promise<void> {
  await Promise.all([profiles.ensureIndexes(), loginFailures.ensureIndexes()]);
}

const config = { ...customerShape, ...authenticateShape };

export const composition: AreaComposition = {
  config,
  compose: async (base) => {
    const settings = base.readConfig(config);
    const options = await openCustomerStores(base);
    const dependencies = composeCustomers({
      options,
      temporal: base.temporal,
      catalogue: base.interfaces.get(CATALOGUE),
      loginLimits: {
        perProfile: settings.AUTHENTICATE_FAILURES_PER_PROFILE,
        perProfileAndAddress: settings.AUTHENTICATE_FAILURES,
        perAddress: settings.AUTHENTICATE_FAILURES_PER_ADDRESS,
      },
      passwords: new Passwords(passwordOptions(settings)),
    });
    return { area: createCustomersArea(dependencies), answerSeal: new AnswerSeal(options.keys) };
  },
};
