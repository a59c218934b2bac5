import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomerSegments } from '../session/auth-state.ts'
import { dueModal, proModals } from './due-modal.ts'

const segments = (more: Partial<CustomerSegments> = {}): CustomerSegments => ({
  b2b_intention: 'CONVERTED',
  b2b_welcome: false,
  b2b_vat_modal: false,
  b2b_suspected_pro: 'NOT_SUSPECTED_PRO',
  suspected_pro_type: 'UNKNOWN',
  profile: null,
  cluster: null,
  buy_number_cluster: 'PROSPECTS',
  audience_group: null,
  loyalty_level: 'UNDEFINED',
  loyalty_hvc_level: null,
  app_cluster: null,
  last_chance_churn: false,
  anti_churn: false,
  b2b_subscription: null,
  customer_value: 'LOW',
  ...more,
})

test('R-306 R-312 which modal is due: the welcome first, then the note on VAT, to professionals whose segments are known', () => {
  const due = (more: Partial<CustomerSegments>, onPage: readonly string[] = proModals) =>
    dueModal({ isB2B: true, segments: segments(more) }, onPage)
  assert.equal(due({}), 'b2b_welcome')
  assert.equal(due({ b2b_welcome: true }), 'b2b_vat_modal')
  assert.equal(due({ buy_number_cluster: 'OCC_B_NUMB_3' }), 'b2b_vat_modal', 'one who has bought needs no welcome')
  assert.equal(due({ buy_number_cluster: 'OCC_B_NUMB_1' }, ['b2b_welcome']), null)
  assert.equal(due({ b2b_vat_modal: true }), 'b2b_welcome')
  assert.equal(due({ b2b_welcome: true, b2b_vat_modal: true }), null)
  // In gb professionals see prices with VAT, and the page has no note about it.
  assert.equal(due({ b2b_welcome: true }, ['b2b_welcome']), null)
  assert.equal(dueModal({ isB2B: false, segments: segments() }, proModals), null)
  assert.equal(dueModal({ isB2B: true, segments: null }, proModals), null)
})
