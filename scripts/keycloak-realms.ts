/**
 * Writes the realms of deploy/keycloak for the configured hosts: `node scripts/keycloak-realms.ts`. A Keycloak imports them unchanged;
 * the client secret is then set there and given to the shop as IDENTITY_CLIENT_SECRET.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Realm,
  authProviders,
  backChannelLogoutPath,
  callbackPath,
  identityClientId,
  isAuthProvider,
  realms,
} from '@purlin/contract/identity.ts'
import type { SiteHosts } from '@purlin/contract/site-settings.ts'
import { readSettings } from '@purlin/server/foundation/platform/index.ts'

export const realmFolder = join(import.meta.dirname, '../deploy/keycloak/realms')

const day = 86_400

/** A realm in Keycloak's import format. */
export function keycloakRealm(realm: Realm, hosts: SiteHosts): object {
  const isStaff = realm === 'staff'
  const hasCompany = realm === 'b2b' || realm === 'unified'
  return {
    realm,
    enabled: true,
    displayName: isStaff ? 'Purlin, sellers and staff' : realm === 'b2b' ? 'Purlin Pro' : 'Purlin',
    sslRequired: 'external',
    registrationAllowed: !isStaff,
    registrationEmailAsUsername: true,
    loginWithEmailAllowed: true,
    duplicateEmailsAllowed: false,
    editUsernameAllowed: false,
    verifyEmail: true,
    resetPasswordAllowed: true,
    rememberMe: false,
    internationalizationEnabled: true,
    supportedLocales: ['en', 'fr', 'de', 'es', 'it'],
    defaultLocale: 'en',
    passwordPolicy: 'length(10) and notUsername and notEmail and hashAlgorithm(argon2)',
    bruteForceProtected: true,
    permanentLockout: false,
    failureFactor: 10,
    waitIncrementSeconds: 30,
    maxFailureWaitSeconds: 900,
    // Refresh tokens are single-use.
    revokeRefreshToken: true,
    refreshTokenMaxReuse: 0,
    accessTokenLifespan: 300,
    accessCodeLifespan: 60,
    ssoSessionIdleTimeout: 60 * day,
    ssoSessionMaxLifespan: 60 * day,
    defaultSignatureAlgorithm: 'RS256',
    otpPolicyType: 'totp',
    otpPolicyAlgorithm: 'HmacSHA1',
    otpPolicyDigits: 6,
    otpPolicyPeriod: 30,
    otpPolicyCodeReusable: false,
    webAuthnPolicyPasswordlessRpEntityName: 'Purlin',
    webAuthnPolicyPasswordlessUserVerificationRequirement: 'required',
    requiredActions: [
      requiredAction('CONFIGURE_TOTP', 'Configure OTP', isStaff),
      requiredAction('webauthn-register-passwordless', 'Webauthn Register Passwordless', false),
      requiredAction('CONFIGURE_RECOVERY_AUTHN_CODES', 'Recovery Authentication Codes', isStaff),
    ],
    clients: [shopClient(realm, hosts, hasCompany)],
    // The shop deletes the accounts of customers whose data is erased.
    users: [
      {
        username: `service-account-${identityClientId}`,
        enabled: true,
        serviceAccountClientId: identityClientId,
        clientRoles: { 'realm-management': ['manage-users'] },
      },
    ],
  }
}

function requiredAction(alias: string, name: string, defaultAction: boolean): object {
  return { alias, name, providerId: alias, enabled: true, defaultAction, priority: 10, config: {} }
}

function shopClient(realm: Realm, hosts: SiteHosts, hasCompany: boolean): object {
  const providers = Object.keys(authProviders).filter(isAuthProvider)
  const own = providers.filter((provider) => authProviders[provider] === realm)
  const origins = originsOf(hosts)
  return {
    clientId: identityClientId,
    name: 'Purlin',
    enabled: true,
    protocol: 'openid-connect',
    publicClient: false,
    clientAuthenticatorType: 'client-secret',
    standardFlowEnabled: true,
    implicitFlowEnabled: false,
    // The shop verifies the current password before it changes one; without the client's secret nobody can use this grant.
    directAccessGrantsEnabled: realm !== 'staff',
    serviceAccountsEnabled: true,
    consentRequired: false,
    redirectUris: origins.flatMap((origin) => own.map((provider) => `${origin}${callbackPath(provider)}`)),
    webOrigins: [],
    attributes: {
      'pkce.code.challenge.method': 'S256',
      'post.logout.redirect.uris': origins.map((origin) => `${origin}/*`).join('##'),
      'id.token.signed.response.alg': 'RS256',
      'use.refresh.tokens': 'true',
      // Sessions that end at Keycloak end in the shop at once.
      'backchannel.logout.url': `${origins[0] ?? ''}${backChannelLogoutPath}`,
      'backchannel.logout.session.required': 'true',
    },
    defaultClientScopes: ['web-origins', 'acr', 'profile', 'email', 'basic'],
    optionalClientScopes: ['offline_access'],
    protocolMappers: hasCompany ? ['company_name', 'trade', 'vat_number', 'register_number', 'professional_role'].map(attributeMapper) : [],
  }
}

/** A user attribute as a claim, in the ID token and at userinfo. */
function attributeMapper(name: string): object {
  return {
    name,
    protocol: 'openid-connect',
    protocolMapper: 'oidc-usermodel-attribute-mapper',
    consentRequired: false,
    config: {
      'user.attribute': name,
      'claim.name': name,
      'jsonType.label': 'String',
      'id.token.claim': 'true',
      'access.token.claim': 'false',
      'userinfo.token.claim': 'true',
    },
  }
}

/** On real domains only those: a public Keycloak must not redirect to localhost. */
function originsOf(hosts: SiteHosts): string[] {
  const origins = hosts.all.map(({ origin }) => origin)
  const real = origins.filter((origin) => origin.startsWith('https:'))
  return [...new Set(real.length > 0 ? real : origins)]
}

/** The files' contents by name. */
export function realmFiles(hosts: SiteHosts): Map<string, string> {
  return new Map(realms.map((realm) => [`${realm}.json`, `${JSON.stringify(keycloakRealm(realm, hosts), null, 2)}\n`]))
}

if (import.meta.main) {
  mkdirSync(realmFolder, { recursive: true })
  for (const [name, text] of realmFiles(readSettings(undefined, []).hosts)) writeFileSync(join(realmFolder, name), text)
  process.stdout.write(`Written: ${realmFolder}\n`)
}
