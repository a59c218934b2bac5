/**
 * The register of personal data of the embedded providers, which keep it apart from the shop's database, in the form of the shop's register
 * (`personal-data.ts`): the identity provider in a schema of its own, carrier, payment provider and credit provider in files. The VAT
 * registers store nothing, and the SMS provider has its last messages in memory alone. A test compares it with the providers.
 *
 * The credit provider keeps what it knows of companies as a lender has to, on its own responsibility.
 */
export const providerRegister = `
credit-provider.answer | kept: body | none: key hash status
credit-provider.entry | key: uuid code owner | kept: doc | none: kind
credit-provider.message | passing: body | none: id at attempts
identity.account | key: id | deleted: email password given_name family_name locale company_name trade vat_number professional_role register_number | none: realm is_demo created_at password_at closed_at
identity.artifact | deleted: id payload account_id grant_id uid | none: realm model created_at consumed_at expires_at
identity.attempt | passing: key | none: count since blocked_until is_refused
identity.device | deleted: session_uid account_id name | none: realm created_at
identity.email_change | deleted: account_id email data | none: realm requested_at confirmed_at agreed_at reminded_at
identity.known_network | deleted: account_id mark | none: realm seen_at
identity.migration | none: name at
identity.one_time_token | deleted: hash account_id email data | none: realm purpose created_at expires_at used_at
identity.passkey | deleted: id account_id public_key transports name | none: realm counter created_at used_at
identity.recovery_code | deleted: account_id hash | none: realm used_at
identity.second_step_removal | deleted: id account_id requested_by reference | none: realm requested_at due_at ended_at outcome
identity.secret | none: name value created_at
identity.signing_key | none: realm kid jwk created_at signs_from
identity.totp | deleted: account_id secret | none: realm last_step created_at
parcel-carrier.pickup | key: id reference | blanked: body | none: attempts next_at
parcel-carrier.shipment | key: id reference code | blanked: body | none: told attempts next_at
payment-provider.answer | kept: body | none: key hash status
payment-provider.card | deleted: id customer doc | none: seq
payment-provider.customer | deleted: id reference doc
payment-provider.intent | key: id | kept: doc | none: seq created
payment-provider.message | passing: body | none: seq id at attempts copies
payment-provider.payout | staff: doc | none: seq id created
`
