/**
 * The table of movements of recurring revenue, and who writes it: whatever statement changes the part that a subscription has in
 * recurring revenue writes its movement, in the same commit. docs/decisions/0037-metrics.md says why it is the database that does it.
 */
import { type Migrations, statements } from "@svc/kernel/database/migrations"

export const migrations: Migrations = {
  "26112390_subscription_movements": statements(
    // Minor units a month, rounded half up once. A year has 52 weeks.
    `CREATE FUNCTION svc_monthly(amount bigint, billing_period text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
       SELECT CASE billing_period
         WHEN 'weekly' THEN (2 * amount * 52 + 12) / 24
         WHEN 'monthly' THEN amount
         WHEN 'quarterly' THEN (2 * amount + 3) / 6
         WHEN 'annual' THEN (2 * amount + 12) / 24
       END $$`,
    // The id of a movement is a ULID, as all ids are, so a range of ids is a range of time. Its last 80 bits follow from the subscription
    // and its version.
    `CREATE FUNCTION svc_movement_id(at timestamptz, subscription_id text, version bigint) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
     DECLARE
       alphabet CONSTANT text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
       millis CONSTANT bigint := floor(extract(epoch FROM at) * 1000);
       bits CONSTANT bit(80) := ('x' || left(md5(subscription_id || ' ' || version), 20))::bit(80);
       id text := 'mrow_';
     BEGIN
       FOR n IN 0..9 LOOP
         id := id || substr(alphabet, ((millis >> (45 - 5 * n)) & 31)::integer + 1, 1);
       END LOOP;
       FOR n IN 0..15 LOOP
         id := id || substr(alphabet, substring(bits FROM 5 * n + 1 FOR 5)::integer + 1, 1);
       END LOOP;
       RETURN id;
     END $$`,
    `CREATE TABLE subscription_movements (
       account_id text NOT NULL REFERENCES accounts (id),
       id text NOT NULL,
       movement text NOT NULL CHECK (movement IN ('new', 'expansion', 'contraction', 'churn', 'reactivation')),
       subscription_id text NOT NULL,
       subscription_version bigint NOT NULL,
       customer_id text NOT NULL,
       plan_id text NOT NULL,
       status text NOT NULL,
       currency text NOT NULL,
       before bigint NOT NULL,
       after bigint NOT NULL,
       amount bigint NOT NULL GENERATED ALWAYS AS (after - before) STORED,
       counted smallint NOT NULL CHECK (counted = CASE WHEN movement IN ('new', 'reactivation') THEN 1 WHEN movement = 'churn' THEN -1 ELSE 0 END),
       at timestamptz NOT NULL,
       PRIMARY KEY (account_id, id),
       UNIQUE (account_id, subscription_id, subscription_version)
     )`,
    `CREATE INDEX subscription_movements_customer ON subscription_movements (account_id, customer_id, currency)`,
    `CREATE FUNCTION svc_subscription_moves() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       counts CONSTANT boolean := NEW.status IN ('active', 'past_due');
       counted boolean := false;
       before bigint := 0;
       after bigint := 0;
       movement text;
     BEGIN
       IF TG_OP = 'UPDATE' THEN
         counted := OLD.status IN ('active', 'past_due');
       END IF;
       IF NOT counts AND NOT counted THEN
         RETURN NULL;
       END IF;
       IF counted THEN
         IF counts AND OLD.plan_id = NEW.plan_id THEN
           RETURN NULL;
         END IF;
         SELECT svc_monthly(p.amount, p.billing_period) INTO STRICT before FROM plans p WHERE p.account_id = OLD.account_id AND p.id = OLD.plan_id;
       END IF;
       IF counts THEN
         SELECT svc_monthly(p.amount, p.billing_period) INTO STRICT after FROM plans p WHERE p.account_id = NEW.account_id AND p.id = NEW.plan_id;
       END IF;
       IF counted AND counts THEN
         IF before = after THEN
           RETURN NULL;
         END IF;
         movement := CASE WHEN after > before THEN 'expansion' ELSE 'contraction' END;
       ELSIF counted THEN
         movement := 'churn';
       -- It counted before, or its customer had subscriptions and none is left: somebody comes back.
       ELSIF EXISTS (SELECT FROM subscription_movements m WHERE m.account_id = NEW.account_id AND m.subscription_id = NEW.id)
         OR (SELECT count(*) > 0 AND sum(m.counted) = 0 FROM subscription_movements m
             WHERE m.account_id = NEW.account_id AND m.customer_id = NEW.customer_id AND m.currency = NEW.currency) THEN
         movement := 'reactivation';
       ELSE
         movement := 'new';
       END IF;
       INSERT INTO subscription_movements
         (account_id, id, movement, subscription_id, subscription_version, customer_id, plan_id, status, currency, before, after, counted, at)
       VALUES (NEW.account_id, svc_movement_id(NEW.updated_at, NEW.id, NEW.version), movement, NEW.id, NEW.version, NEW.customer_id,
         NEW.plan_id, NEW.status, NEW.currency, before, after, counts::integer - counted::integer, NEW.updated_at);
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER subscriptions_move_in AFTER INSERT ON subscriptions
       FOR EACH ROW EXECUTE FUNCTION svc_subscription_moves()`,
    // A renewal changes neither, and costs the comparison only.
    `CREATE TRIGGER subscriptions_move AFTER UPDATE ON subscriptions
       FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.plan_id IS DISTINCT FROM NEW.plan_id)
       EXECUTE FUNCTION svc_subscription_moves()`
  ),
  // What nobody has paid yet is no recurring revenue: a card that is declined at checkout is neither new nor churn. What was counted before
  // still is.
  "26112391_paid_subscriptions": statements(
    `ALTER TABLE subscriptions ADD COLUMN first_paid_at timestamptz`,
    `UPDATE subscriptions s SET first_paid_at = s.created_at
       WHERE EXISTS (SELECT FROM subscription_movements m WHERE m.account_id = s.account_id AND m.subscription_id = s.id)`,
    `CREATE OR REPLACE FUNCTION svc_subscription_moves() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       counts CONSTANT boolean := NEW.status IN ('active', 'past_due') AND NEW.first_paid_at IS NOT NULL;
       counted boolean := false;
       before bigint := 0;
       after bigint := 0;
       movement text;
     BEGIN
       IF TG_OP = 'UPDATE' THEN
         counted := OLD.status IN ('active', 'past_due') AND OLD.first_paid_at IS NOT NULL;
       END IF;
       IF NOT counts AND NOT counted THEN
         RETURN NULL;
       END IF;
       IF counted THEN
         IF counts AND OLD.plan_id = NEW.plan_id THEN
           RETURN NULL;
         END IF;
         SELECT svc_monthly(p.amount, p.billing_period) INTO STRICT before FROM plans p WHERE p.account_id = OLD.account_id AND p.id = OLD.plan_id;
       END IF;
       IF counts THEN
         SELECT svc_monthly(p.amount, p.billing_period) INTO STRICT after FROM plans p WHERE p.account_id = NEW.account_id AND p.id = NEW.plan_id;
       END IF;
       IF counted AND counts THEN
         IF before = after THEN
           RETURN NULL;
         END IF;
         movement := CASE WHEN after > before THEN 'expansion' ELSE 'contraction' END;
       ELSIF counted THEN
         movement := 'churn';
       -- It counted before, or its customer had subscriptions and none is left: somebody comes back.
       ELSIF EXISTS (SELECT FROM subscription_movements m WHERE m.account_id = NEW.account_id AND m.subscription_id = NEW.id)
         OR (SELECT count(*) > 0 AND sum(m.counted) = 0 FROM subscription_movements m
             WHERE m.account_id = NEW.account_id AND m.customer_id = NEW.customer_id AND m.currency = NEW.currency) THEN
         movement := 'reactivation';
       ELSE
         movement := 'new';
       END IF;
       INSERT INTO subscription_movements
         (account_id, id, movement, subscription_id, subscription_version, customer_id, plan_id, status, currency, before, after, counted, at)
       VALUES (NEW.account_id, svc_movement_id(NEW.updated_at, NEW.id, NEW.version), movement, NEW.id, NEW.version, NEW.customer_id,
         NEW.plan_id, NEW.status, NEW.currency, before, after, counts::integer - counted::integer, NEW.updated_at);
       RETURN NULL;
     END $$`,
    `DROP TRIGGER subscriptions_move ON subscriptions`,
    // A renewal changes none of these, and costs the comparison only.
    `CREATE TRIGGER subscriptions_move AFTER UPDATE ON subscriptions
       FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.plan_id IS DISTINCT FROM NEW.plan_id OR OLD.first_paid_at IS DISTINCT FROM NEW.first_paid_at)
       EXECUTE FUNCTION svc_subscription_moves()`
  )
}
