/** When a schedule had this workflow start, however late it runs; of others the start. Callers: workflows that schedules start. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';

/** Set by the server on what a schedule starts. */
const SCHEDULED_FOR = defineSearchAttributeKey('TemporalScheduledStartTime', SearchAttributeType.DATETIME);

export function dueAt(): Date {
  const { typedSearchAttributes, startTime } = workflowInfo();
  return typedSearchAttributes.get(SCHEDULED_FOR) ?? startTime;
}
