/** The manifest of the authentication area: clients, access tokens, and the keys that sign them. */
import { defineArea } from '../../platform/area.ts';
import { OPERATIONS_QUEUE } from '../../workflows/auth/messages.ts';
import { CLIENT_ASSERTIONS } from './client-assertion-store.ts';
import { CLIENT_FAILURES } from './client-failures.ts';
import { CLIENTS } from './client-types.ts';
import { DISABLED_LIST } from './disabled-list.ts';
import { operationsRoleShape } from './operations-config.ts';
import { SIGNING_KEYS } from './signing-key-collection.ts';

const CHANGE = ['find', 'insert', 'update'] as const;

export const authArea = defineArea({
  name: 'auth',
  servedBy: 'auth',
  collections: [
    { definition: CLIENTS, uses: { auth: CHANGE, client: CHANGE } },
    {
      definition: DISABLED_LIST,
      // The API and the decoder read it. Only the authentication server makes one where there is none.
      uses: { auth: CHANGE, client: ['find', 'update'], api: ['find'], codec: ['find'] },
    },
    { definition: CLIENT_FAILURES, uses: { auth: CHANGE } },
    { definition: CLIENT_ASSERTIONS, uses: { auth: ['insert'] } },
    { definition: SIGNING_KEYS, uses: { auth: CHANGE, 'operations-worker': [...CHANGE, 'remove'] } },
  ],
  roles: [
    {
      name: 'operations-worker',
      title: 'Operations worker',
      port: 9106,
      weight: 'light',
      config: operationsRoleShape,
      queue: OPERATIONS_QUEUE,
      workflows: ['signingKeyRotation'],
      versioning: 'AUTO_UPGRADE',
      cachedWorkflows: 20,
      activitiesAtOnce: 5,
      load: async () => (await import('./operations-role.ts')).operationsRole,
    },
  ],
  dashboardRows: ['Tokens and keys'],
});
