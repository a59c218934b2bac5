import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT, exportJWK, generateKeyPair, type JWTPayload } from 'jose'

/** An identity provider for tests that can be down, slow, faulty or hostile. Every visitor signs in as `person`. */
export interface FakeProvider {
  url: string
  /** For `useSettings`. */
  settings: { IDENTITY_URL: string; IDENTITY_CLIENT_SECRET: string }
  person: Record<string, unknown>
  /** Seconds since everybody last entered a password, unless they are asked for it again; null if it does not say. */
  authAge: number | null
  /** Whether it overlooks the request to ask again. */
  isLax: boolean
  mood: 'well' | 'down' | 'slow' | 'html' | 'down-for-tokens' | 'html-for-tokens'
  /** Number of calls per endpoint. */
  calls: Record<string, number>
  /** The query of the last authorisation request. */
  asked: URLSearchParams
  /** A token signed with the provider's key. */
  sign(claims: JWTPayload, header?: { alg?: string; typ?: string }): Promise<string>
  /** Hook to alter the claims of an ID token. */
  tamper(claims: JWTPayload): JWTPayload
  /** Hook to alter a signed ID token. */
  forge(token: string): string | Promise<string>
  rotateKeys(): Promise<void>
  /** Simulates a password reset or a sign-out everywhere: all refresh tokens become invalid. */
  endSessions(): void
  /** Everybody's password, and the reason to refuse a new one. */
  password: string
  passwordPolicy: string | null
  /** Sessions of everybody at the provider. */
  sessions: string[]
  /** Credentials and devices of everybody, in the admin API's form. */
  credentials: object[]
  devices: object[]
  /** Requests to remove the second step of everybody; null if nobody has one. */
  removals: object[] | null
  /** Addresses of the accounts deleted so far. */
  removed: string[]
  /** Refresh tokens revoked so far. */
  revoked: Set<string>
  close(): void
}

interface Code {
  realm: string
  redirectUri: string
  challenge: string
  nonce: string
  person: Record<string, unknown>
  authTime?: number | undefined
}
const algorithm = 'RS256'

export async function fakeProvider(): Promise<FakeProvider> {
  let keys = await newKeys()
  const codes = new Map<string, Code>()
  const refreshTokens = new Map<string, { realm: string; person: Record<string, unknown> }>()
  const count = (name: string) => void (provider.calls[name] = (provider.calls[name] ?? 0) + 1)
  const issuerOf = (realm: string) => `${provider.url}/realms/${realm}`

  async function newKeys() {
    const { privateKey, publicKey } = await generateKeyPair(algorithm)
    return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: randomUUID(), alg: algorithm, use: 'sig' } }
  }

  const authTime = (isNow: boolean) =>
    provider.authAge === null ? undefined : Math.floor(Date.now() / 1000) - (isNow ? 0 : provider.authAge)

  async function idToken(realm: string, { nonce, person, authTime }: Pick<Code, 'nonce' | 'person' | 'authTime'>): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      ...person,
      iss: issuerOf(realm),
      aud: 'purlin-shop',
      iat: now,
      exp: now + 300,
      ...(nonce && { nonce }),
      ...(authTime && { auth_time: authTime }),
    }
    const token = await new SignJWT(provider.tamper(claims)).setProtectedHeader({ alg: algorithm, kid: keys.jwk.kid }).sign(keys.privateKey)
    return provider.forge(token)
  }

  async function tokens(realm: string, of: Pick<Code, 'nonce' | 'person' | 'authTime'>): Promise<object> {
    const refreshToken = randomUUID()
    refreshTokens.set(refreshToken, { realm, person: of.person })
    return {
      access_token: randomUUID(),
      token_type: 'Bearer',
      expires_in: 300,
      refresh_token: refreshToken,
      id_token: await idToken(realm, of),
    }
  }

  async function token(realm: string, form: URLSearchParams): Promise<[number, object]> {
    const refused = (): [number, object] => [400, { error: 'invalid_grant' }]
    if (form.get('grant_type') === 'password') {
      const isRight = form.get('username') === provider.person['email'] && form.get('password') === provider.password
      return isRight ? [200, await tokens(realm, { nonce: '', person: provider.person })] : refused()
    }
    if (form.get('grant_type') === 'refresh_token') {
      const given = form.get('refresh_token') ?? ''
      const known = refreshTokens.get(given)
      if (!known || known.realm !== realm || provider.revoked.has(given)) return refused()
      refreshTokens.delete(given)
      return [200, await tokens(realm, { nonce: '', person: known.person })]
    }
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || code.realm !== realm || code.redirectUri !== form.get('redirect_uri') || code.challenge !== challenge) return refused()
    return [200, await tokens(realm, code)]
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', provider.url)
    const [, , realm = '', ...rest] = url.pathname.split('/')
    const endpoint = rest.at(-1) ?? ''
    count(endpoint)
    const json = (status: number, body: object) =>
      void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const { mood } = provider
    if (mood === 'down' || (mood === 'down-for-tokens' && endpoint === 'token')) return void req.socket.destroy()
    if (mood === 'slow') return
    if (mood === 'html' || (mood === 'html-for-tokens' && endpoint === 'token'))
      return void res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')
    const base = `${issuerOf(realm)}/protocol/openid-connect`
    if (endpoint === 'openid-configuration')
      return json(200, {
        issuer: issuerOf(realm),
        authorization_endpoint: `${base}/auth`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/certs`,
        revocation_endpoint: `${base}/revoke`,
        end_session_endpoint: `${base}/logout`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: [algorithm],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      })
    if (endpoint === 'certs') return json(200, { keys: [keys.jwk] })
    if (endpoint === 'auth') {
      provider.asked = url.searchParams
      const code = randomUUID()
      const of = (name: string) => url.searchParams.get(name) ?? ''
      codes.set(code, {
        realm,
        redirectUri: of('redirect_uri'),
        challenge: of('code_challenge'),
        nonce: of('nonce'),
        person: provider.person,
        authTime: authTime(of('prompt') === 'login' && !provider.isLax),
      })
      const back = new URLSearchParams({ code, state: of('state'), iss: issuerOf(realm) })
      return void res.writeHead(302, { location: `${of('redirect_uri')}?${back}` }).end()
    }
    let body = ''
    for await (const part of req) body += String(part)
    const form = new URLSearchParams(body)
    if (endpoint === 'token' && form.get('grant_type') === 'client_credentials')
      return json(200, { access_token: 'of-the-shop', token_type: 'Bearer', expires_in: 60 })
    if (url.pathname.startsWith('/admin/')) {
      if (req.headers.authorization !== 'Bearer of-the-shop') return json(401, {})
      if (endpoint === 'reset-password') {
        if (provider.passwordPolicy !== null) return json(400, { error: provider.passwordPolicy })
        provider.password = (JSON.parse(body) as { value: string }).value
        return void res.writeHead(204).end()
      }
      if (endpoint === 'credentials') return json(200, provider.credentials)
      if (endpoint === 'second-step-removal') {
        const { removals } = provider
        if (!removals || (req.method === 'DELETE' && removals.length === 0)) return json(409, {})
        const times = { requestedAt: '2026-11-30T10:00:00.000Z', dueAt: '2026-12-07T10:00:00.000Z', endedAt: null, outcome: null }
        if (req.method === 'PUT') removals.push({ ...(JSON.parse(body) as object), ...times })
        return json(200, req.method === 'DELETE' ? {} : removals)
      }
      if (endpoint === 'sessions' && req.method === 'GET' && provider.devices.length > 0) return json(200, provider.devices)
      if (endpoint === 'sessions')
        return json(
          200,
          provider.sessions.map((id) => ({ id })),
        )
      if (req.method !== 'DELETE') return json(405, {})
      provider.sessions = provider.sessions.filter((id) => id !== endpoint)
      provider.removed.push(url.pathname)
      return void res.writeHead(204).end()
    }
    if (endpoint === 'token') return json(...(await token(realm, form)))
    if (endpoint === 'revoke') provider.revoked.add(form.get('token') ?? '')
    if (endpoint === 'logout' && form.get('client_secret') === provider.settings.IDENTITY_CLIENT_SECRET) {
      provider.revoked.add(form.get('refresh_token') ?? '')
      return void res.writeHead(204).end()
    }
    return json(200, {})
  }

  const server = createServer((req, res) => void answer(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref().on('connection', (socket) => socket.unref())
  const url = `http://id.localhost:${(server.address() as AddressInfo).port}`
  const provider: FakeProvider = {
    url,
    settings: { IDENTITY_URL: url, IDENTITY_CLIENT_SECRET: 'secret-of-the-tests' },
    person: { sub: randomUUID(), email: 'ann@example.com', email_verified: true, name: 'Ann Lee' },
    authAge: 0,
    isLax: false,
    mood: 'well',
    calls: {},
    asked: new URLSearchParams(),
    sign: (claims, header) =>
      new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid: keys.jwk.kid, ...header }).sign(keys.privateKey),
    tamper: (claims) => claims,
    forge: (token) => token,
    rotateKeys: async () => void (keys = await newKeys()),
    endSessions: () => refreshTokens.clear(),
    password: 'seven quiet kettles',
    passwordPolicy: null,
    sessions: [],
    credentials: [],
    devices: [],
    removals: null,
    removed: [],
    revoked: new Set(),
    close: () => server.close(),
  }
  return provider
}

/** A new person, with the realm's own claims. */
export function somebody(more: Record<string, unknown> = {}): Record<string, unknown> {
  const sub = randomUUID()
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ann Lee', ...more }
}
