export interface FakeCard {
  brand: string
  last4: string
  exp_month: number
  exp_year: number
  /** The same for the same card, however often it is saved. */
  fingerprint: string
}

interface FakeMethod {
  id: string
  object: 'payment_method'
  type: 'card'
  created: number
  customer: string | null
  allow_redisplay: 'always' | 'limited'
  card: FakeCard
}

/** Customers and their payment methods, as in Stripe. */
export interface FakeCustomers {
  /** Undefined for an unknown address. */
  change(method: string, path: string, form: URLSearchParams): object | undefined
  list(url: URL): object | undefined
  attach(customerId: string, card: FakeCard, consent: boolean): string
  defaultCardOf(customerId: string): string | null
}

export function fakeCustomers(newId: (kind: string) => string, missing: (what: string) => Error): FakeCustomers {
  const customers = new Map<string, { id: string; object: 'customer'; metadata: Record<string, string>; default: string | null }>()
  const methods = new Map<string, FakeMethod>()
  let clock = 1_790_000_000
  const find = (id: string) => {
    const customer = customers.get(id)
    if (!customer) throw missing(`customer: '${id}'`)
    return customer
  }
  const attached = (id: string, customer: string) => {
    const method = methods.get(id)
    if (method?.customer !== customer) throw missing(`payment_method: '${id}'`)
    return method
  }
  return {
    change: (verb, path, form) => {
      if (path === '/v1/customers') {
        const id = newId('cus')
        const made = { id, object: 'customer', metadata: { customer: form.get('metadata[customer]') ?? '' }, default: null } as const
        customers.set(id, { ...made })
        return made
      }
      if (path === '/v1/customer_sessions') {
        find(form.get('customer') ?? '')
        if (form.get('components[payment_element][features][payment_method_save]') !== 'enabled') throw missing('component')
        return { object: 'customer_session', client_secret: newId('cuss_secret'), customer: form.get('customer') }
      }
      const [, owner = ''] = /^\/v1\/customers\/(\w+)$/.exec(path) ?? []
      if (owner && verb === 'DELETE') {
        for (const method of methods.values()) if (method.customer === find(owner).id) method.customer = null
        customers.delete(owner)
        return { id: owner, object: 'customer', deleted: true }
      }
      if (owner) {
        const card = form.get('invoice_settings[default_payment_method]') ?? ''
        return Object.assign(find(owner), { default: attached(card, owner).id })
      }
      const [, detached = ''] = /^\/v1\/payment_methods\/(\w+)\/detach$/.exec(path) ?? []
      if (!detached) return undefined
      const method = methods.get(detached)
      if (!method?.customer) throw missing(`payment_method: '${detached}'`)
      return Object.assign(method, { customer: null })
    },
    list: (url) => {
      const [, owner = ''] = /^\/v1\/customers\/(\w+)\/payment_methods$/.exec(url.pathname) ?? []
      if (!owner) return undefined
      const shown = url.searchParams.get('allow_redisplay')
      const all = [...methods.values()].filter(({ customer, allow_redisplay }) => customer === find(owner).id && allow_redisplay === shown)
      return { object: 'list', data: all.toReversed(), has_more: false, url: url.pathname }
    },
    attach: (customerId, card, consent) => {
      const id = newId('pm')
      const allow = consent ? 'always' : 'limited'
      methods.set(id, {
        id,
        object: 'payment_method',
        type: 'card',
        created: clock++,
        customer: find(customerId).id,
        allow_redisplay: allow,
        card,
      })
      return id
    },
    defaultCardOf: (customerId) => find(customerId).default,
  }
}
