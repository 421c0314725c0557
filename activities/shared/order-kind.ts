/** The order as a kind of personal subject: its own key seals what callers write on it. Callers: orders, payments. */
import { subjectKind } from '../../platform/personal/subject-id.ts';
import type { OrderId } from '../../workflows/shared/ids.ts';

export const ORDER = subjectKind<OrderId>('order');
