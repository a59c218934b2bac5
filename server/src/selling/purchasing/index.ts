/** Purchasing: quick order, a company's own references on its orders, its budgets, and requests for approval. */
export { readOrderReference, readReferencesAbout } from './reference-store.ts'
export {
  approvalOfOrder,
  countApprovals,
  countPendingApprovals,
  endUnneeded,
  forgetApprovalsOf,
  giveUpOrder,
  insertApproval,
  isApprovedForCard,
  lapseApproval,
  lockApproval,
  lockApproved,
  lockOverdueApprovals,
  lockRequestWithGoods,
  noteUsed,
  readApproval,
  readApprovals,
  readApprovalsBy,
  readApprovalToken,
  readApproved,
  requestWithGoods,
  settleApproval,
  writeApproved,
  writeProposal,
  type Approval,
  type Proposal,
  type ProposedPoint,
} from './approval-store.ts'
export { approversOf, isValid, mayApprove } from './approvers.ts'
export { setBudget } from './manage-budgets.ts'
export { readOrderNames, saveOrderReference, type NamesOfOrder, type OrderNames, type ReferenceRefusal } from './order-reference.ts'
export { describeReferenceRefusal } from './reference-answer.ts'
export { readBudgets, releaseSpend } from './budget-store.ts'
export { exceededLimits, holdBudget, needsCostCentre, type OverBudget } from './hold-budget.ts'
export { approvalDecidedMail, approvalRequestedMail, systemOrderMail, type ApprovalOutcome } from './mails.ts'
export { readOrderSite, setOrderSite } from './order-site-store.ts'
