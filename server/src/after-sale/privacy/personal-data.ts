/**
 * The register of personal data: each column of each table, with whose data it is and its end. A test compares it with the database and erases a
 * customer who has data in every column. One line per table: its columns by fate.
 */

/** Whose data it is, and its end. */
export const fates = {
  /** An id or a key, which names nobody once the person behind it is erased. */
  key: { of: 'customer', erasure: 'stays' },
  deleted: { of: 'customer', erasure: 'deleted' },
  blanked: { of: 'customer', erasure: 'anonymised' },
  /** Names and addresses of orders and invoices, readable with the shop's key alone. */
  sealed: { of: 'customer', erasure: 'kept by law, sealed, for ten years after the year of issue' },
  /** Records of payment, of accounts between companies, and of objections. */
  kept: { of: 'customer', erasure: 'kept by law, for ten years' },
  /** Of a browser, a request or a transfer under way, and deleted when that is over, at most fourteen months later, without an erasure. */
  passing: { of: 'visitor', erasure: 'deleted by time' },
  staff: { of: 'staff of sellers and of the marketplace', erasure: 'kept while they are in office' },
  none: { of: null, erasure: null },
} as const
export type Fate = keyof typeof fates

const isFate = (text: string): text is Fate => Object.hasOwn(fates, text)

/** The fate of each column, by table. @throws for a line that cannot be read */
export function readRegister(text = register): Map<string, Map<string, Fate>> {
  return new Map(
    text
      .trim()
      .split('\n')
      .map((line) => {
        const [table = '', ...groups] = line.split('|').map((part) => part.trim())
        const columns = groups.flatMap((group) => columnsOf(table, group))
        const [twice] = columns.find(([name], at) => columns.findIndex(([other]) => other === name) < at) ?? []
        if (twice !== undefined) throw new Error(`${table}: ${twice} twice`)
        return [table, new Map(columns)]
      }),
  )
}

function columnsOf(table: string, group: string): [string, Fate][] {
  const [fate = '', columns = ''] = group.split(':').map((part) => part.trim())
  if (!isFate(fate)) throw new Error(`${table}: ${fate} is no fate`)
  return columns.split(' ').map((column) => [column, fate])
}

const register = `
accounts.closed_number | kept: hash | none: company_id closed_at
accounts.company | key: id | blanked: name vat_number | none: country prefers_vat created_at closed_at
accounts.customer | key: id acts_for | blanked: email name given_name family_name | none: market created_at closed_at is_name_own prefers_vat
accounts.former_email | deleted: customer_id email | none: until
accounts.identity | key: customer_id company_id | deleted: subject | staff: staff_id | none: issuer linked_at seen_at
accounts.membership | key: customer_id company_id | none: role kind since ended_at
accounts.permission | staff: staff_id | none: kind role market since
accounts.role | none: kind name
accounts.session | deleted: id guest_email viewer customer_id company_id sign_in_id | staff: staff_id | none: market mode created_at seen_at expires_at family provider error fresh_until authenticated_at is_punch_out
accounts.staff | staff: id email name | none: kind seller_id created_at closed_at
addresses.address | deleted: customer_id first_name last_name company line1 line2 postcode city phone instructions | none: id country is_delivery_default is_billing_default created_at updated_at
auth.exchange_token | passing: id session_id | none: target_host challenge expires_at used_at
auth.logout_token | none: issuer jti received_at
auth.token | deleted: sign_in_id refresh_token id_token sid | none: provider generation leased_until created_at expires_at
cart.cart | deleted: owner | none: id market coupon_code version created_at updated_at
cart.coupon | key: customer_id | none: code market kind value min_amount seller_id category_id starts_on ends_on total_limit per_customer_limit used is_listed first_order_only ended_on audience
cart.coupon_change | staff: changed_by | none: id code change changed_at
cart.coupon_redemption | key: customer_key customer_order_id company_id | none: code ordinal at is_first_order
cart.delivery_choice | none: cart_id seller_id kind
cart.line | key: site_id | none: cart_id offer_id quantity seen_price added_at
catalogue.attribute | none: key kind names units decimals facet
catalogue.attribute_word | none: value names hex
catalogue.brand | none: id slug name tier country texts
catalogue.category | none: id parent_id level position path department names slugs texts
catalogue.commercial_operation | none: id type market slug name starts_at ends_at
catalogue.model | none: id axes
catalogue.offer | none: id product_id seller_id market pim_offer_id condition currency price pro_price stock bulk max_quantity is_sample is_mmf delivery commercial_operation_ids promotion_ends_at coupon_code sponsored status created_at updated_at quantity_breaks
catalogue.price_history | none: offer_id price valid_from
catalogue.product | none: id article_id model_id brand_id category_id family ean mpn titles descriptions slugs attributes weight_g unit_measure unit_quantity_milli flags pictures documents safety rating rating_count popularity status successor_id created_at updated_at
catalogue.quantity_break_history | none: offer_id valid_from quantity_breaks
catalogue.stock_movement | none: id offer_id delta reason reference at
companies.conversion | key: company_id registered_company_id | deleted: customer_id company_name vat_number register_number | staff: decided_by | none: id state reason country market mode origin requested_at decided_at
companies.cost_centre | key: company_id | deleted: code name | none: id created_at archived_at
companies.invitation | key: company_id accepted_by | deleted: email invited_by | none: id role token_hash created_at expires_at accepted_at revoked_at
companies.invitation_mail | key: company_id | passing: recipient | none: sent_at
companies.purchasing_rule | key: company_id | none: allows_free_cost_centre requires_cost_centre
companies.site | key: company_id | deleted: name address delivery_hours | none: id created_at archived_at
conditions.company_group | none: id seller_id name created_at
conditions.group_company | key: company_id | none: group_id
conditions.price_list | none: id seller_id market name valid_from valid_to created_at ended_at
conditions.price_list_holder | key: company_id | none: list_id group_id ends_at
conditions.price_rule | none: list_id position product_id category_id percent_bp price
conditions.quoted_price | key: customer_id company_id order_id | none: quote_id offer_id seller_id market quantity price delivery valid_until
consent.choice | passing: id | none: market text_version purposes has_privacy_signal at replaced_at has_ended_visitor dialog click
contact.message | deleted: name email order_id body session_id sender_hash owner | none: id reference kind market mode at
contact.passed_on | key: seller_order_id | none: message_id at ended_at
content.entry | none: kind id key created_at
content.text | none: kind entry_id version language title description lead blocks
content.version | none: kind entry_id version live_from live_until markets modes facts source_digest written_at
credit.claim | key: customer_order_id seller_order_id company_id customer_id | none: id number payment_id market mode origin currency amount credited repaid reference refused issued_on due_on reminders updated_at reversed seen_at
credit.collective | key: company_id | none: market origin since
credit.debit | key: mandate_id | none: statement_id amount collect_on announced_at state collected reason updated_at
credit.financing_request | deleted: company_id customer_id purpose phone | none: id number market currency amount months requested_at
credit.line | key: company_id | none: currency limit_amount is_accepted checked_at
credit.mandate | key: company_id signed_by | blanked: holder iban_end sender_hash | passing: bank | none: id market origin reference creditor_name creditor_id state ended_by ended_at text_version signed_at
credit.message | none: event_id received_at
credit.statement | key: company_id | kept: document | none: id number market origin currency month issued_on due_on reminders dunned_from
credit.statement_claim | none: claim_id statement_id
disputes.dispute | key: customer_order_id seller_order_id | none: id number message_id seller_id market reason wish state wanted offered decided due_at refund_id opened_at ended_at
disputes.step | blanked: note files written_by | none: dispute_id position actor action amount at
experiments.assignment | deleted: customer_id | none: campaign_id variation_id assigned_at
experiments.customer | deleted: customer_id unit | none: since
experiments.experiment | none: campaign_id name state definition changed_at stopped_because
experiments.exposure | passing: visitor_id unit network | none: campaign_id variation_id seen_at
experiments.outcome | none: campaign_id variation_id visitors added ordered left_at_once met_error counted_at harm
files.file | deleted: owner name | none: key kind type bytes sha256 state created_at
flags.config | none: key market mode version value changed_at
flags.value | none: name market mode value changed_at
fulfilment.carrier_message | none: id received_at
fulfilment.due | key: customer_order_id seller_order_id | none: kind seller_id market due_at step next_at
fulfilment.parcel | key: customer_order_id seller_order_id tracking_number | blanked: label_file | none: id seller_id market carrier token_hash expected_by created_at asked_at held_until forgotten_at
fulfilment.parcel_event | blanked: place | none: parcel_id source_id kind at received_at
header.item | none: id kind markets modes audience category_ids family_ids position live_from live_until path texts changed_at
history.entry | deleted: customer_id visitor_id | none: product_id viewed_at
history.view | deleted: customer_id visitor_id | none: product_id viewed_at
insights.burst | passing: events | none: id received_at problem
insights.channel_day | none: day market mode channel category campaign visits orders revenue
insights.event | passing: visitor_id data visit_id network | none: day id market mode name page_name page_type device purposes at received_at arrived_at
insights.event_burst | passing: senders | none: id received_at problem
insights.forwarded | none: service received_at event_id
insights.order_channel | key: customer_order_id | deleted: visitor_id channel category campaign | none: market mode placed_at paid_at amount
insights.pro_event | deleted: visitor_id customer_id | none: id market platform_id event product_id category_id at
insights.purchase | key: transaction | none: market amount currency at
insights.recommendation_day | none: day market mode placement source views clicks
insights.roll_up | none: span start market mode name page_name device events visitors
insights.sent_visitor | passing: visitor_id | none: service at
insights.web_vital | none: day id market mode page_name device metric value detail version at
insights.withdrawal | passing: visitor_id | none: purpose at
integrations.api_key | staff: name | none: id prefix hash cost_per_minute created_at expires_at last_used_at revoked_at
integrations.delivery | passing: body | none: id endpoint_id event state attempts status error created_at last_at next_at expires_at
integrations.endpoint | none: id seller_id url events created_at removed_at resting_until
integrations.seller_key | staff: created_by name | none: id seller_id prefix hash scopes created_at expires_at last_used_at revoked_at
invoices.commission_month | none: month closed_at
invoices.counter | none: issuer series year last
invoices.file | none: invoice_id form key sha256 bytes archived_at
invoices.invoice | key: customer_order_id seller_order_id company_id | blanked: owner search document email_hash | none: id kind issuer series year serial number source seller_id market currency issued_at net vat gross commission commission_vat commission_treatment commission_vat_bp left_out sealed_at
ledger.booking | key: customer_order_id | none: id key kind currency at
ledger.entry | none: booking_id position account amount
mail.mail | deleted: recipient subject body_text body_html unsubscribe_url | none: id key template sender state created_at sent_at
merchandising.asked | passing: query | none: query_id market day at shown
merchandising.category_day | none: market day category_id clicks conversions
merchandising.click_day | none: day product_id networks of_networks
merchandising.click_weight | none: product_id weight
merchandising.query_day | none: market day query searches without_results clicks conversions
merchandising.ranker_day | none: market day weights own learned looks
merchandising.ranking_in_use | none: market day weights
merchandising.rule | none: market id enabled rule updated_at
merchandising.search_event | passing: user_token sender_hash | none: id market type query_id product_ids at counted
merchandising.synonym | none: market id source type input words updated_at
merchandising.tuning | none: market stop_words weights updated_at learns
messages.conversation | deleted: customer_order_id seller_order_id owner company_id email about | none: id seller_id market mode topic last_seq buyer_news buyer_read seller_news seller_read last_at answer_due_at remind_at late_told_at created_at
messages.message | blanked: written_by body files | none: id conversation_id seq author is_masked at
messages.rating | none: message_id seller_id stars at
messages.report | deleted: note | none: message_id reporter reason at closed_at
newsletter.subscription | deleted: email email_hash | none: id market mode state confirm_hash token wording asked_at confirmed_at ended_at
notify.mail | key: customer_order_id | deleted: recipient | none: id kind state created_at sent_at
notify.mailbox | deleted: recipient subject body_text body_html | none: id sender at
orders.access_grant | key: customer_order_id | deleted: owner | none: at
orders.access_token | key: customer_order_id | none: token_hash expires_at
orders.customer_order | key: id owner cart_id company_id | blanked: email address billing_address sender_hash | none: cart_version market mode currency tax_key state coupon_code total totals placement created_at placed_at paid_at holds_until updated_at origin wanted_at replaces free_return_days
orders.ended_hold | key: customer_order_id | passing: owner sender_hash | none: offer_id until
orders.line_move | key: seller_order_id actor_id | kept: note | none: id offer_id quantity from_state to_state actor reason parcel_id at deadline
orders.order_line | key: customer_order_id seller_order_id | none: offer_id product_id position quantity unit_price total discount net vat vat_rate_bp tax_key snapshot
orders.seller_order | key: id customer_order_id pick_up_point | none: seller_id state seller delivery_kind delivery_options goods delivery discount total seller_discount commission commission_vat commission_treatment commission_vat_bp withheld_vat appointment outcome
orders.transition | key: customer_order_id | none: id from_state to_state actor cause at
orders.waitlist | passing: buyer | none: offer_id at
payments.chargeback | key: customer_order_id payment_id reference | none: id provider market state amount currency reason opened_at closed_at
payments.payment | key: customer_order_id customer_id company_id provider_reference | kept: card_brand card_last4 | none: id placement provider state amount currency market mode origin method captured refunded frame_url failure_code authorisations abandoned checks next_check_at created_at updated_at repaid paid_with refunds_returned reduced
payments.provider_customer | deleted: customer_id reference | none: provider created_at
payments.saved_card | deleted: customer_id reference brand last4 expiry_year expiry_month | none: id provider is_default saved_at removed_at
payments.transition | none: id payment_id from_state to_state cause applied at
payments.webhook_event | key: provider_reference | none: provider event_id type received_at
payouts.account | staff: bank bank_end bank_holder changed_by | none: seller_id currency changed_at usable_from
payouts.line | none: run_id seller_id seller_order_id customer_order_id market sold commission commission_vat withheld_vat refunded amount
payouts.payout | staff: bank bank_end | none: id number run_id seller_id currency opening settled amount closing state carry_reason failure_code provider_reference pdf_file csv_file created_at ended_at
payouts.run | none: id key currency cause cutoff started_at finished_at sepa_file
payouts.sale | none: seller_order_id customer_order_id seller_id market currency sold commission commission_vat withheld_vat payable_at is_open settled_at
platform.allocator | none: kind next
platform.backfill | none: id checksum statement rows_of checkpoint done size at moved_at finished_at
platform.handled | none: event_id handler at
platform.idempotency | passing: owner outcome | none: key body_hash created_at
platform.job | passing: key payload checkpoint | none: name run_at round attempts locked_until locked_by parked_at last_error priority fence progress_done progress_total cancel_requested_at finished_at outcome created_at
platform.lease | none: name epoch holder expires_at
platform.migration | none: id checksum at
platform.migration_lock | none: only_row
platform.note | none: key value at
platform.outbox | passing: aggregate payload | none: id position type created_at available_at attempts locked_until locked_by done_at parked_at last_error
platform.purge_log | none: id tags at
platform.quota | passing: key | none: points expire
platform.schedule | none: name next_run_at
pricing.price_history | none: offer_id price valid_from
pricing.vat_rule | none: id market category_id rate_bp flag valid_from valid_to
privacy.erasure | key: customer_id | none: requested_at done_at
privacy.export | deleted: customer_id file_key | none: id requested_at expires_at
privacy.retained | key: customer_order_id | sealed: sealed | none: until key_id
privacy.retained_invoice | key: customer_order_id | sealed: sealed | none: invoice_id key_id until
profile.consent | deleted: customer_id phone | none: id channel is_granted is_confirmed wording source at
profile.notice | deleted: customer_id | none: channel key at
profile.phone_code | deleted: customer_id phone | none: id market wording expires_at
profile.profile | deleted: customer_id first_name last_name phone language fiscal_number | none: updated_at
profile.unsubscribe | deleted: customer_id token | none: market since
punchout.credential | key: company_id member_id created_by | blanked: name | none: id market protocol identity secret_hash created_at last_used_at revoked_at
punchout.order_request | key: company_id customer_order_id | none: order_number credential_id content_hash is_pending_approval received_at
punchout.visit | deleted: hook_url echoed buyer items session_id | none: id credential_id token_hash token_expires_at opened_at
purchasing.approval | key: customer_order_id company_id customer_id decided_by | blanked: note comment | none: id market origin pay_by state total currency limits proposal is_by_link decided_at approved_total requested_at expires_at is_used
purchasing.approval_token | deleted: approver_id | none: token_hash approval_id
purchasing.budget | key: company_id subject_id changed_by | none: id kind currency monthly per_order changed_at
purchasing.kept_rows | passing: owner rows | none: kept_at
purchasing.order_reference | key: customer_order_id changed_by | kept: purchase_order cost_centre | none: changed_at
purchasing.order_site | key: customer_order_id company_id site_id
purchasing.spend | key: customer_order_id company_id customer_id site_id cost_centre_id | none: currency month amount returned returned_goods returned_counted categories placed_at net
push.key | none: only_one jwk
push.subscription | deleted: endpoint p256dh auth customer_id sign_in_id visitor_id recent | none: id market mode origin at topics failures failing_since
quotes.line | none: quote_id position offer_id title url quantity list_price price vat_rate_bp
quotes.quote | key: company_id customer_id order_id | blanked: email message note | none: id number seller_id market origin state wanted_on created_at answer_by answered_at valid_until delivery
recommendations.model | none: market learned_at model
recommendations.placement | none: placement sources
refunds.line | none: refund_id offer_id quantity goods delivery
refunds.refund | key: customer_order_id seller_order_id payment_id | kept: iban_end | passing: account | none: id number key cause state amount currency market borne_by failure_code transfers requested_at done_at recovered set_off wanted
reminders.basket | deleted: customer_id | none: market mode channel at
reminders.guest | passing: owner email email_hash | none: id market mode token wording agreed_at confirmed_at reminded_at
reminders.guest_pause | passing: email_hash | none: until
reminders.progress | none: only_one until
returns.cancellation | key: customer_order_id seller_order_id | blanked: note | none: id seller_id market reason state lines requested_at decided_at
returns.collection | blanked: address | none: request_id state day slot updated_at round booked_round
returns.request | key: customer_order_id seller_order_id tracking_number replacement_order | blanked: description photos decision_note feedback label_file written_by | none: id number seller_id market reason basis wish wished_amount method state lines finding decision decided_amount token_hash rating requested_at reminded_at updated_at label_round reported_at forgotten_at
returns.step | none: id request_id from_state to_state actor at
reviews.answer | blanked: owner author | none: id question_id kind seller_id body state findings refusal decided_at at
reviews.invitation | key: seller_order_id | deleted: email | none: token_hash market sent_at expires_at
reviews.opt_out | kept: email_hash | none: at
reviews.question | blanked: owner email author | none: id product_id market language mode origin body state findings refusal decided_at at
reviews.review | key: seller_order_id | blanked: owner email author | staff: decided_by | none: id subject subject_id seller_id market language origin stars aspects title body pros cons photos body_hash state findings refusal decided_at answer answered_at helpful unhelpful purchased_on written_at
reviews.survey_answer | deleted: owner comment | none: day market mode score at
reviews.vote | deleted: voter session_id | none: review_id is_helpful at
segments.customer | deleted: customer_id computed imported declared last_visit_at | none: computed_at imported_at declared_at
sellers.seller | staff: legal_name vat_number registration address email phone | none: id slug name country is_b2b rating rating_count response_hours commission_bp free_delivery_from about return_terms status created_at updated_at
sms.message | deleted: customer_id phone body | none: id key market segments state reference error_code created_at changed_at
sms.reply | none: reference at
subscriptions.charge | none: id subscription_id sequence period due_at net vat gross rate_bp treatment currency state attempts next_attempt_at reference failure period_start period_end paid_at refunded_at
subscriptions.setup | none: id subscription_id state reference frame_url failure created_at market period has_trial pays
subscriptions.subscription | key: company_id customer_id provider_customer card_reference | blanked: card_brand card_last4 card_expiry_year card_expiry_month | none: id market origin state period next_period has_trial paid_until due_at anchor_day cancels_at_end charges provider created_at reminded_for ended_at end_reason
tax.answer | deleted: owner vat_number name address body | none: id service outcome fault consultation_number requester asked_at
tax.record | deleted: owner legal_name line1 line2 postcode city country fiscal_number sdi_code pec vat_number | none: vat_state vat_doubts vat_tries vat_checked_at vat_next_at updated_at
uploads.upload | deleted: owner sender_hash line_hash file_key name | none: id bytes used_by created_at pot
wishlists.item | none: list_id product_id known_price added_at known_mode quantity
wishlists.list | key: site_id | deleted: owner name share_token | none: id market is_default created_at
wishlists.notice | deleted: token | none: list_id mode since
wishlists.told | none: list_id product_id price is_available kind mails at
`
