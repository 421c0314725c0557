/** The customer as a personal subject: its kind and its name. Callers: code that seals, keeps or erases personal data of a customer. */
import { subjectKind } from '../../platform/personal/subject-id.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';

export const CUSTOMER = subjectKind<CustomerNumber>('customer');
