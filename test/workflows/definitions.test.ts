/** Each workflow has one definition for all callers, with the type, input and result of the exported function. */
import assert from 'node:assert/strict';
import type { Workflow } from '@temporalio/common';
import * as authMessages from '../../workflows/auth/messages.ts';
import * as bookMessages from '../../workflows/books/messages.ts';
import * as customerMessages from '../../workflows/customers/messages.ts';
import * as workflows from '../../workflows/index.ts';
import * as orderMessages from '../../workflows/orders/messages.ts';
import * as pageMessages from '../../workflows/payment-page/messages.ts';
import * as paymentMessages from '../../workflows/payments/messages.ts';
import * as receiptMessages from '../../workflows/receipts/messages.ts';
import * as refundMessages from '../../workflows/refunds/messages.ts';
import type { WorkflowDefinition } from '../../workflows/shared/workflow-definition.ts';
import * as ticketMessages from '../../workflows/tickets/messages.ts';
import * as timetableMessages from '../../workflows/timetable/messages.ts';

type Signature<Definition> = Definition extends WorkflowDefinition<infer Run> ? Run : never;

/** Does not compile when a function lacks a definition, or differs from it in input or result. */
const IMPLEMENTED: Record<keyof typeof workflows, Workflow> & {
  signingKeyRotation: Signature<typeof authMessages.signingKeyRotationWorkflow>;
  reconciliation: Signature<typeof bookMessages.reconciliationWorkflow>;
  temporaryProfile: Signature<typeof customerMessages.temporaryProfileWorkflow>;
  profileErasure: Signature<typeof customerMessages.profileErasureWorkflow>;
  orderExpiry: Signature<typeof orderMessages.orderExpiryWorkflow>;
  paymentPage: Signature<typeof pageMessages.paymentPageWorkflow>;
  capture: Signature<typeof paymentMessages.captureWorkflow>;
  credit: Signature<typeof paymentMessages.creditWorkflow>;
  receipt: Signature<typeof receiptMessages.receiptWorkflow>;
  refund: Signature<typeof refundMessages.refundWorkflow>;
  delivery: Signature<typeof ticketMessages.deliveryWorkflow>;
  reissue: Signature<typeof ticketMessages.reissueWorkflow>;
  datasetImport: Signature<typeof timetableMessages.datasetImportWorkflow>;
  datasetRefresh: Signature<typeof timetableMessages.datasetRefreshWorkflow>;
  plannerBuild: Signature<typeof timetableMessages.plannerBuildWorkflow>;
} = workflows;

const MESSAGES: readonly object[] = [
  authMessages,
  bookMessages,
  customerMessages,
  orderMessages,
  pageMessages,
  paymentMessages,
  receiptMessages,
  refundMessages,
  ticketMessages,
  timetableMessages,
];

function definitions(): WorkflowDefinition<Workflow>[] {
  return MESSAGES.flatMap((messages) =>
    Object.entries(messages).flatMap(([name, value]) =>
      name.endsWith('Workflow') && typeof value === 'object' ? [value as WorkflowDefinition<Workflow>] : [],
    ),
  );
}

describe('workflow definitions', () => {
  it('name every exported workflow once, and no other', () => {
    const types = definitions().map(({ type }) => type);
    const LISTED =
      'add the messages.ts of each area to MESSAGES, and the signature of each workflow to IMPLEMENTED, in this file';
    assert.deepEqual(types.sort(), Object.keys(IMPLEMENTED).sort(), LISTED);
  });

  it('name the queue', () => {
    for (const { taskQueue } of definitions()) assert.match(taskQueue, /^[a-z-]+$/);
  });
});
