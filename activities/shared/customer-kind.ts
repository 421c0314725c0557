/** The customer as a kind of personal subject. Callers: the customers area, the erasure steps of every area. */
import { subjectKind } from '../../platform/personal/subject-id.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';

export const CUSTOMER = subjectKind<CustomerNumber>('customer');
