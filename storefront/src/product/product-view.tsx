import { Amount, Badges, Breadcrumb, ButtonLink, Container, cx, Gallery, Panel, Section } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import { EntryCards } from '../advice/entry-cards.tsx'
import { AddToCart } from '../cart/add-to-cart.tsx'
import { compareHref } from '../compare/compared.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { Rail } from '../shell/rail.tsx'
import { replaceable } from '../shell/replaceable-price.ts'
import frame from '../shell/shell.module.css'
import { Stars } from '../shell/stars.tsx'
import { ExperimentMark } from '../experiments/experiment-mark.tsx'
import { HistoryPlace } from '../history/history-place.tsx'
import { RecommendedRows, type Recommended } from '../history/recommended.tsx'
import { BuyBar } from './buy-bar.tsx'
import { BuyBox } from './buy-box.tsx'
import { OffersTable } from './offers-table.tsx'
import type { ModelOptionFragment, ShownProductFragment } from '../generated/documents.ts'
import { ProductOpinions } from '../reviews/product-opinions.tsx'
import { Heart } from '../wishlist/heart.tsx'
import { Sheet } from './sheet.tsx'
import styles from './product.module.css'

/** A product with its offers, or its sheet if nobody sells it. */
interface ProductViewProps {
  product: ShownProductFragment
  context: ShopContext
  path: string
  recommended?: Recommended
}

export function ProductView({ product, context, path, recommended = [] }: ProductViewProps): ReactNode {
  const { t } = context
  const offer = product.bestOffer
  const rows = <RecommendedRows placement="article_page" recommended={recommended} context={context} />
  const goodsFirst = context.variations['goods-first'] === 'goods-first'
  return (
    <Container>
      {offer && (
        <a className={frame.skip} href="#offer">
          {t('product.skip')}
        </a>
      )}
      <div className={styles.crumbs}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[{ label: t('shell.home'), href: '/' }, ...product.categories.map(({ name, url }) => ({ label: name, href: url }))]}
        />
      </div>
      <div className={styles.top}>
        <div className={styles.head}>
          {product.brand && (
            <p>
              <a className={styles.brand} href={product.brand.url}>
                {product.brand.name}
              </a>
            </p>
          )}
          <h1 className={styles.title}>{product.title}</h1>
          <p className={styles.sub}>
            <Stars size="l" of={product} context={context} />
            <span>{t('product.reference', { id: product.mpn })}</span>
          </p>
        </div>
        <div className={styles.pictures}>
          <Enhance with="gallery" when="visible">
            <Gallery
              pictures={product.pictures}
              label={t('product.pictures')}
              pictureOf={(number) => t('product.picture', { number })}
              words={{
                enlarge: (number) => t('product.full-screen', { number }),
                zoom: t('product.zoom'),
                previous: t('product.picture-previous'),
                next: t('product.picture-next'),
                close: t('shell.close'),
              }}
            />
          </Enhance>
          <div className={styles.wish}>
            <Heart productId={product.id} title={product.title} t={t} />
          </div>
        </div>
        <div className={styles.buy} id="offer" tabIndex={-1}>
          {product.options.map((option) => (
            <Option key={option.key} option={option} t={t} />
          ))}
          {product.paintUrl && offer && (
            <p>
              <a href={product.paintUrl}>{t('paint.link')}</a>
            </p>
          )}
          {offer ? <BuyBox product={product} offer={offer} context={context} /> : <NotSold product={product} context={context} />}
          <Sample product={product} context={context} />
        </div>
      </div>
      <ExperimentMark name="goods-first" context={context} />
      {goodsFirst && rows}
      <OffersTable product={product} context={context} />
      <Sheet product={product} context={context} />
      <p className={styles.more}>
        <a href={`${path}/informations`}>{t('product.all-data')}</a>
      </p>
      <p className={styles.more}>
        <a href={compareHref([product.id])}>{t('compare.start')}</a>
      </p>
      <ProductOpinions product={product} context={context} />
      {!goodsFirst && rows}
      <Rail title={t('product.alternatives')} cards={product.alternatives} context={context} />
      {product.guides && product.guides.length > 0 && (
        <Section title={t('advice.related')} more={{ href: paths.ourAdvice(), label: t('advice.all-guides') }}>
          <EntryCards cards={product.guides} context={context} />
        </Section>
      )}
      <HistoryPlace productId={product.id} />
      {offer && <BuyBar offer={offer} context={context} />}
    </Container>
  )
}

/** A sample to order before the article itself, where somebody offers one. */
export function Sample({ product, context }: { product: ShownProductFragment; context: ShopContext }): ReactNode {
  const { t } = context
  const sample = product.offers.find((one) => one.isSample && one.stock > 0)
  if (!sample) return null
  return (
    <Panel>
      <div className={styles.sample}>
        <p>
          {t.rich(
            'product.sample',
            {
              b: (words) => <b>{words}</b>,
              amount: () => <Amount amount={sample.price.main} offerId={replaceable(context, sample.id)} />,
            },
            { price: sample.price.main.asString },
          )}
        </p>
        <AddToCart t={t} offerId={sample.id} title={product.title} quantity={1} look="secondary" label={t('product.sample-add')} />
      </div>
    </Panel>
  )
}

/** One axis of the model: each value links to its product. */
function Option({ option, t }: { option: ModelOptionFragment; t: ShopContext['t'] }): ReactNode {
  const chosen = option.values.find((value) => value.selected)
  return (
    <div role="group" aria-label={option.label}>
      <p className={styles.optionName}>
        {t.rich('product.option', { chosen: (value) => <b>{value}</b> }, { label: option.label, value: chosen?.label ?? '' })}
      </p>
      <ul className={styles.values}>
        {option.values.map((value) => (
          <li key={value.value}>
            <a
              className={cx(styles.value, value.hex && styles.colour, !value.available && styles.missing)}
              href={value.url}
              aria-current={value.selected ? 'true' : undefined}
              aria-label={value.available ? value.label : t('product.option-missing', { label: value.label })}
              title={value.label}
            >
              {value.hex ? <span className={styles.swatch} style={{ background: value.hex }} /> : value.label}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function NotSold({ product, context: { t } }: { product: ShownProductFragment; context: ShopContext }): ReactNode {
  const category = product.categories.at(-1)
  return (
    <Panel title={t('product.not-sold')}>
      <div className={styles.notSold}>
        <Badges badges={product.badges} />
        <p>{t('product.not-sold-text')}</p>
        {category && (
          <ButtonLink href={category.url} wide>
            {t('product.see-category', { name: category.name })}
          </ButtonLink>
        )}
      </div>
    </Panel>
  )
}
