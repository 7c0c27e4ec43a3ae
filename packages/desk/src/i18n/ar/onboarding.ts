import type { OnboardingTexts } from "../shapes/onboarding.ts"

/** Words of the views of `onboarding`. */
export const views = {
  terms: { many: "الشروط", one: "الشروط", none: "لا توجد شروط." },
  terms_acceptances: { many: "قبولات الشروط", one: "قبول الشروط", none: "لم تُقبل الشروط بعد." },
  go_live_requests: { many: "التشغيل الفعلي", one: "طلب تشغيل فعلي", none: "لم يطلب أحد التشغيل الفعلي بعد." },
  operator_go_live_requests: { many: "طلبات التشغيل الفعلي", one: "طلب تشغيل فعلي", none: "لا حساب يطلب التشغيل الفعلي." }
}

export const fields = {
  accepted_at: "وقت القبول",
  accepted_by: "من قبل",
  account_name: "اسم الحساب",
  live_account_id: "الحساب الفعلي",
  rejection_reason: "سبب الرفض",
  terms_version: "النسخة",
  text: "النص",
  version: "النسخة"
}

export const actions = {
  terms: { accept: "قبول الشروط" },
  terms_acceptances: {},
  go_live_requests: { create: "طلب التشغيل الفعلي" },
  operator_go_live_requests: { approve: "الموافقة وفتح الحساب الفعلي", reject: "رفض" }
}

export const onboarding: OnboardingTexts = {
  title: "في الطريق إلى التشغيل الفعلي",
  live: {
    title: "حسابك في التشغيل الفعلي: ما تبقّى",
    payment: "أرسل عميلًا إلى صفحة دفع، أو حصّل من وسيلة دفع عبر خادمك. بطاقات الاختبار لا تعمل هنا."
  },
  progress: (done, all) => `أُنجز ${done} من ${all} من الخطوات.`,
  opened: "فُتح حسابك الفعلي: انتقل إليه من «حساباتك»",
  states: { done: "تم", open: "للإنجاز", waiting: "قيد المراجعة" },
  steps: {
    terms: {
      title: "قبول الشروط",
      text: "يقرؤها أحد المالكين ويقبلها عن الحساب.",
      waits: "الشروط تنتظر القبول."
    },
    business_verified: {
      title: "توثيق نشاطك",
      text: "اذكر من وراء الحساب.",
      waits: "النشاط قيد المراجعة."
    },
    payout_bank: {
      title: "إضافة حساب مصرفي للدفعات الصادرة",
      text: "حدّد أين يذهب مالك، ووثّق الحساب.",
      waits: "الحساب المصرفي موثَّق، وسيصبح نشطًا من تلقاء نفسه."
    },
    webhook_endpoint: {
      title: "معرفة الدفعات",
      text: "حدّد أين يستقبل خادمك الويب هوك.",
      waits: "العنوان قيد المراجعة."
    },
    first_payment: {
      title: "استقبال دفعة",
      text: "أرسل هذا من الطرفية بمفتاح سري لهذا الحساب.",
      waits: "الدفعة في الطريق."
    },
    live: {
      title: "التشغيل الفعلي",
      text: "عند إنجاز كل ما عداه، يطلب أحد المالكين الحساب الفعلي. تبقى بيئة الاختبار للتجارب.",
      waits: "المشغّل ينظر في الطلب."
    }
  },
  requests: {
    title: "طلبات التشغيل الفعلي",
    none: "لا حساب ينتظر التشغيل الفعلي.",
    waits: "يطلب التشغيل الفعلي"
  }
}
