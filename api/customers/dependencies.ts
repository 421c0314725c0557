/** Dependencies of the handlers of this area. Set by api/server.ts and by tests; see compose.ts. */
import type { ConsentStore } from '../../activities/customers/consent-store.ts';
import type { ItemKind } from '../../activities/customers/customer-types.ts';
import type { LoginFailureStore } from '../../activities/customers/login-failures.ts';
import type { Passwords } from '../../activities/customers/passwords.ts';
import type { ProfileItemStore } from '../../activities/customers/profile-item-store.ts';
import type { ProfileLifecycleStore } from '../../activities/customers/profile-lifecycle-store.ts';
import type { ProfileStore } from '../../activities/customers/profile-store.ts';
import type { SearchKeys } from '../../activities/customers/search-keys.ts';
import type { Conversion } from '../../activities/customers/temporary-profile-start.ts';
import type { CatalogueReader } from '../../activities/shared/catalogue.ts';
import type { ConversionOutcome, CustomerInput } from '../../workflows/customers/messages.ts';

/** Each call is bounded in time and may be repeated. */
export interface CustomerWorkflows {
  startTemporaryProfile(input: CustomerInput): Promise<void>;
  signalExpirationChanged(input: CustomerInput): Promise<void>;
  signalEraseNow(input: CustomerInput): Promise<void>;
  startProfileErasure(input: CustomerInput): Promise<void>;
  convert(conversion: Conversion): Promise<ConversionOutcome>;
}

/** Limits of failed log-ins in 15 minutes. */
export interface LoginLimits {
  /** For one profile or name, from all addresses; above it, tries are slowed. */
  readonly perProfile: number;
  /** Of these, from one address of an end user through one client. */
  readonly perProfileAndAddress: number;
  /** For one client and one address of an end user. */
  readonly perAddress: number;
}

export interface CustomersDependencies {
  readonly profiles: ProfileStore;
  readonly items: { readonly [K in ItemKind]: ProfileItemStore<K> };
  readonly consents: ConsentStore;
  readonly lifecycle: Pick<ProfileLifecycleStore, 'clearPendingStart'>;
  readonly catalogue: CatalogueReader;
  readonly workflows: CustomerWorkflows;
  readonly passwords: Passwords;
  readonly searchKeys: Pick<SearchKeys, 'hash'>;
  readonly loginFailures: LoginFailureStore;
  readonly loginLimits: LoginLimits;
  readonly now: () => Date;
}
