/** Every workflow: the entry of the bundle that workers load. */
export { signingKeyRotation } from './auth/signing-key-rotation.workflow.ts';
export { reconciliation } from './books/reconciliation.workflow.ts';
export { profileErasure } from './customers/profile-erasure.workflow.ts';
export { temporaryProfile } from './customers/temporary-profile.workflow.ts';
export { orderExpiry } from './orders/order-expiry.workflow.ts';
export { paymentPage } from './payment-page/payment-page.workflow.ts';
export { capture } from './payments/capture.workflow.ts';
export { credit } from './payments/credit.workflow.ts';
export { receipt } from './receipts/receipt.workflow.ts';
export { refund } from './refunds/refund.workflow.ts';
export { delivery } from './tickets/delivery.workflow.ts';
export { reissue } from './tickets/reissue.workflow.ts';
export { datasetImport } from './timetable/dataset-import.workflow.ts';
export { datasetRefresh } from './timetable/dataset-refresh.workflow.ts';
export { plannerBuild } from './timetable/planner-build.workflow.ts';
