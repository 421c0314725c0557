/** The area of tickets: openapi.yaml describes each operation. */
import type { TypedArea } from '../shared/operation.ts';
import { createChangeOperations } from './changing.ts';
import type { Operations } from './contract.gen.ts';
import type { TicketsDependencies } from './dependencies.ts';
import { createDistributionOperations } from './distributing.ts';
import { createFinds } from './finds.ts';
import { createInspectionOperations } from './inspecting.ts';
import { createReadOperations } from './searching.ts';

export function createTicketsArea(dependencies: TicketsDependencies): TypedArea<Operations> {
  return {
    name: 'ticket-distribution',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      ...createReadOperations(dependencies),
      ...createDistributionOperations(dependencies),
      ...createChangeOperations(dependencies),
      ...createInspectionOperations(dependencies),
    },
    finds: createFinds(dependencies),
  };
}
