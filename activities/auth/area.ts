/** The manifest of the authentication area: clients, access tokens, and the keys that sign them. */
import { defineArea } from '../../platform/area.ts';
import { OPERATIONS_QUEUE } from '../../workflows/auth/messages.ts';
import { CLIENT_ASSERTIONS } from './client-assertion-store.ts';
import { CLIENT_FAILURES } from './client-failures.ts';
import { CLIENTS } from './client-types.ts';
import { operationsRoleShape } from './operations-config.ts';
import { SIGNING_KEYS } from './signing-key-collection.ts';

export const authArea = defineArea({
  name: 'auth',
  servedBy: 'auth',
  collections: [
    { definition: CLIENTS },
    { definition: CLIENT_FAILURES },
    { definition: CLIENT_ASSERTIONS },
    { definition: SIGNING_KEYS },
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
