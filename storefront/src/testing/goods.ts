/** Products, sellers and carts for tests of pages, in the shapes of the published API. Each takes the fields a test is about. */

type Part = Record<string, unknown>

export const amount = (pounds: number) => {
  const [integer, decimal] = pounds.toFixed(2).split('.') as [string, string]
  return { integer, decimal, ranges: null, asString: `£${integer}.${decimal}`, asFloat: pounds }
}

export const money = (pounds: number) => ({ amount: Math.round(pounds * 100), currency: 'GBP', formatted: `£${pounds.toFixed(2)}` })

export const price = (pounds: number, more: Part = {}) => ({
  main: amount(pounds),
  taxKey: 'with_vat',
  retail: null,
  secondary: null,
  discount: null,
  unit: null,
  hasNoVATForDE: false,
  isZeroRated: false,
  pack: null,
  ...more,
})

export const card = (id: number, more: Part = {}) => ({
  productId: String(id),
  offerId: `o${id}`,
  title: `Drill ${id}`,
  brandName: 'Kastor',
  imageFullpath: `/pictures/p/${id}/main.svg`,
  url: `/p/drill-${id}`,
  prices: price(49.9),
  rating: 4.4,
  ratingCount: 12,
  badges: [],
  bestOffer: true,
  deliveryPromise: 'Arrives Tue 24 Nov',
  sellerName: 'Nordwerk',
  modelsCount: 1,
  hasFreeDelivery: false,
  isMmf: false,
  bulk: null,
  hasSample: false,
  ...more,
})

export const category = (more: Part = {}) => ({
  id: 4,
  name: 'Drills',
  slug: 'drills',
  url: '/drills-4',
  alternates: [
    { market: 'gb', url: '/drills-4' },
    { market: 'de', url: '/bohrer-4' },
  ],
  level: 1,
  department: 'tools',
  pictureUrl: '/pictures/c/tools.svg',
  text: 'How to choose a drill.',
  productCount: 120,
  parents: [{ id: 1, name: 'Tools', url: '/tools-1' }],
  children: [],
  ...more,
})

export const listing = (more: Part = {}) => ({
  total: 2,
  page: 1,
  pageSize: 48,
  pages: 1,
  cards: [card(1), card(2)],
  facets: [
    {
      key: 'brand',
      label: 'Brand',
      kind: 'values',
      unit: null,
      min: null,
      max: null,
      values: [
        { value: 'Kastor', label: 'Kastor', count: 2, selected: false, hex: null },
        { value: 'Tarvok', label: 'Tarvok', count: 1, selected: false, hex: null },
      ],
    },
    { key: 'price', label: 'Price', kind: 'range', unit: null, min: 5, max: 90, values: [] },
  ],
  sort: 'relevance',
  sorts: [
    { key: 'relevance', label: 'Most relevant' },
    { key: 'price_asc', label: 'Price, low first' },
  ],
  pageSizes: [48, 24, 72],
  didYouMean: null,
  droppedWords: [],
  understood: [],
  redirectUrl: null,
  predictedCategories: [],
  impressionId: null,
  available: true,
  ...more,
})

export const seller = (more: Part = {}) => ({
  id: 7,
  slug: 'nordwerk',
  name: 'Nordwerk',
  url: '/seller-7',
  alternates: [{ market: 'gb', url: '/seller-7' }],
  legalName: 'Nordwerk Handel GmbH',
  country: 'DE',
  countryName: 'Germany',
  vatNumber: 'DE136695976',
  registration: 'HRB 12345 Hamburg',
  address: 'Holstenwall 12, 20355 Hamburg',
  email: 'hello@nordwerk.example',
  phone: '+49 40 5550123',
  rating: 4.2,
  ratingCount: 812,
  responseHours: 6,
  about: 'Since 1962.',
  returnTerms: 'Thirty days, free of charge.',
  freeDeliveryFrom: money(49),
  reviews: reviewList(),
  ...more,
})

export const offer = (id: string, more: Part = {}) => ({
  id,
  productId: '12',
  seller: seller(),
  condition: 'new',
  conditionLabel: null,
  price: price(49.9),
  prices: { per_item: { actual_price: { with_vat: { as_float: 49.9 }, without_vat: { as_float: 41.58 } } }, seller_country_id: 'DE' },
  landedPrice: money(54.8),
  stock: 140,
  bulk: null,
  maxQuantity: null,
  isSample: false,
  isMmf: false,
  delivery: [{ kind: 'home', label: 'Home delivery', fee: money(4.9), daysMin: 2, daysMax: 3, promise: 'Arrives Tue 24 Nov' }],
  quantityBreaks: [],
  deliveryPromise: 'Arrives Tue 24 Nov',
  coupon: null,
  payByInvoiceFrom: null,
  retailPriceTimeLeftLabel: null,
  badges: [],
  ...more,
})

export const product = (more: Part = {}) => ({
  id: '12',
  title: 'Cordless drill 18 V',
  slug: 'cordless-drill-18-v',
  url: '/p/cordless-drill-18-v-12',
  description: 'Drills and drives.\n\nWith two gears.',
  brand: { id: 3, name: 'Kastor', url: '/brand/kastor-3' },
  categories: [
    { id: 1, name: 'Tools', url: '/tools-1' },
    { id: 4, name: 'Drills', url: '/drills-4' },
  ],
  ean: '4006381333931',
  mpn: 'KX-18',
  pictures: [{ view: 'main', url: '/pictures/p/12/main.svg', width: 480, height: 480, alt: 'Cordless drill' }],
  attributes: [{ key: 'voltage', label: 'Voltage', value: '18', unit: 'V' }],
  documents: [{ kind: 'manual', label: 'Manual', language: 'en', url: '/documents/12/manual.pdf' }],
  safety: {
    manufacturer: 'Kastor Tools',
    address: 'Am Hang 4, Hagen',
    email: 'safety@kastor.example',
    responsiblePerson: 'Kastor Ireland, Dublin',
    warnings: ['Wear eye protection.'],
  },
  rating: 4.4,
  ratingCount: 120,
  weightKg: 2.1,
  unitMeasure: null,
  unitQuantity: null,
  badges: [],
  status: 'ACTIVE',
  alternates: [{ market: 'gb', url: '/p/cordless-drill-18-v-12' }],
  bestOffer: offer('o1'),
  bestOfferReason: 'Lowest price with delivery.',
  offers: [offer('o1')],
  options: [],
  alternatives: [],
  reviews: reviewList(),
  questions: { total: 0, questions: [] },
  ...more,
})

/** Published reviews, none unless said otherwise. */
export const reviewList = (more: Part = {}) => ({
  rating: null,
  count: 0,
  stars: [5, 4, 3, 2, 1].map((stars) => ({ stars, count: 0 })),
  aspects: [],
  languages: [],
  reviews: [],
  total: 0,
  page: 1,
  pages: 0,
  ...more,
})

export const review = (more: Part = {}) => ({
  id: '0199c0de-0000-7000-8000-000000000001',
  stars: 4,
  title: 'Good drill',
  body: 'Used on old brick for a week.',
  pros: 'Sturdy',
  cons: null,
  author: 'Ann B.',
  language: 'en',
  country: 'United Kingdom',
  writtenOn: '2026-11-02',
  aspects: [{ label: 'Quality', rating: 5 }],
  photos: [],
  answer: 'Thank you.',
  sellerName: 'Toolyard',
  helpful: 3,
  unhelpful: 1,
  ...more,
})

export const line = (id: string, more: Part = {}) => ({
  offerId: id,
  productId: '12',
  title: `Line ${id}`,
  url: '/p/line-12',
  imageUrl: '/pictures/p/12/main.svg',
  quantity: 2,
  step: 1,
  maxQuantity: 20,
  unitPrice: price(10),
  total: money(20),
  totalWithVat: money(20),
  isYourPrice: false,
  nextBreak: null,
  state: 'OK',
  deliveryPromise: 'Arrives Tue 24 Nov',
  conditionLabel: null,
  attributes: [],
  ...more,
})

export const cartSeller = (more: Part = {}) => ({
  seller: seller(),
  lines: [line('o1')],
  deliveryOptions: [
    { kind: 'home', label: 'Home delivery', fee: money(4.9), daysMin: 2, daysMax: 3, promise: 'Arrives Tue 24 Nov' },
    { kind: 'relay', label: 'Pick-up point', fee: money(0), daysMin: 3, daysMax: 4, promise: 'Arrives Wed 25 Nov' },
  ],
  deliveryKind: 'home',
  delivery: money(4.9),
  subtotal: money(20),
  missingForFreeDelivery: money(29),
  freeDeliveryFrom: money(49),
  ...more,
})

export const cart = (more: Part = {}) => ({
  id: 'c1',
  currency: 'GBP',
  taxKey: 'with_vat',
  itemCount: 2,
  sellers: [cartSeller()],
  coupon: null,
  totals: {
    goods: money(20),
    delivery: money(4.9),
    discount: money(0),
    totalWithoutVat: money(20.75),
    vat: money(4.15),
    vatLines: [{ rate: '20 %', net: money(20.75), vat: money(4.15) }],
    totalWithVat: money(24.9),
  },
  changes: [],
  instead: [],
  ...more,
})

export const emptyCart = () => cart({ id: null, itemCount: 0, sellers: [] })

export const department = (id: number, key: string) => ({
  id,
  name: `Department ${key}`,
  slug: key,
  url: `/${key}-${id}`,
  department: key,
  pictureUrl: `/pictures/c/${key}.svg`,
  children: [{ id: id * 10, name: `Part of ${key}`, url: `/part-of-${key}-${id * 10}` }],
})

export const home = (more: Part = {}) => ({
  departments: [department(1, 'tools'), department(2, 'garden'), department(3, 'electrical')],
  deals: [card(1)],
  topSales: [card(2)],
  highlights: [card(3)],
  brands: [{ id: 3, name: 'Kastor', url: '/brand/kastor-3', logoUrl: '/pictures/b/3.svg' }],
  ...more,
})

const address = {
  firstName: 'Ann',
  lastName: 'Field',
  company: null,
  vatNumber: null,
  line1: '1 Mill Lane',
  line2: null,
  postcode: 'M1 1AE',
  city: 'Manchester',
  country: 'GB',
  phone: '01632960123',
  instructions: null,
}

export const sellerOrder = (more: Part = {}) => ({
  id: 'O1-7',
  seller: seller(),
  state: 'AWAITING_PAYMENT',
  stateLabel: 'Part waits',
  lines: [
    {
      offerId: 'o1',
      productId: '1',
      title: 'Drill',
      url: '/p/drill-1',
      imageUrl: '/pictures/p/1/main.svg',
      quantity: 1,
      total: money(20),
      totalWithVat: money(20),
    },
  ],
  deliveryOptions: [{ kind: 'standard', label: 'Home delivery', fee: money(4.9), promise: 'Arrives Tue 24 Nov' }],
  deliveryKind: 'standard',
  deliveryLabel: 'Home delivery',
  deliveryPromise: 'Arrives Tue 24 Nov',
  delivery: money(4.9),
  total: money(24.9),
  ...more,
})

export const payment = (more: Part = {}) => ({
  id: 'p1',
  state: 'INITIATED',
  isCaptured: false,
  method: 'card',
  amount: money(24.9),
  frameUrl: null,
  failure: null,
  ...more,
})

export const order = (more: Part = {}) => ({
  id: 'ORDER123',
  state: 'AWAITING_PAYMENT',
  isPaid: false,
  stateLabel: 'Order waits',
  placedAt: '2026-11-21T23:05:00Z',
  email: 'ann@buyer.example',
  isInMyOrders: true,
  taxKey: 'with_vat',
  address,
  billingAddress: address,
  sellerOrders: [sellerOrder()],
  couponCode: null,
  totals: {
    goods: money(20),
    delivery: money(4.9),
    discount: money(0),
    totalWithoutVat: money(20.75),
    totalWithVat: money(24.9),
    vatLines: [{ rate: '20 %', vat: money(4.15) }],
  },
  payment: payment(),
  holdsUntil: null,
  shipments: [],
  ...more,
})
