"""Words of wikis in several languages by which namespaces, sections and kinds of pages are known."""

import re

# The names that every wiki understands, by the number of their namespace.
NAMESPACES = {
    "media": -2, "special": -1, "talk": 1, "user": 2, "user talk": 3, "project": 4, "project talk": 5, "file": 6,
    "image": 6, "file talk": 7, "image talk": 7, "mediawiki": 8, "mediawiki talk": 9, "template": 10,
    "template talk": 11, "help": 12, "help talk": 13, "category": 14, "category talk": 15, "portal": 100,
    "portal talk": 101, "draft": 118, "draft talk": 119, "module": 828, "module talk": 829, "wikipedia": 4,
    "wikipedia talk": 5,
}  # fmt: skip

FILES = frozenset({
    "file", "image", "datei", "bild", "fichier", "archivo", "imagen", "immagine", "ficheiro", "imagem", "bestand",
    "afbeelding", "plik", "grafika", "файл", "изображение", "fil", "tiedosto", "kuva", "soubor", "fájl", "kép",
    "dosya", "resim", "ファイル", "画像", "文件", "檔案", "档案", "图像", "圖像", "파일", "그림", "ملف", "صورة",
    "קובץ", "תמונה",
    "चित्र", "ไฟล์", "ภาพ", "tập tin", "hình", "berkas", "gambar", "پرونده", "تصویر", "αρχείο", "εικόνα", "imatge",
    "fitxer", "dosiero", "fitxategi", "irudi", "слика", "датотека", "datoteka", "slika", "súbor", "obrázok",
    "fișier", "imagine", "pilt", "vaizdas", "attēls", "mynd",
})  # fmt: skip
CATEGORIES = frozenset({
    "category", "kategorie", "catégorie", "categoría", "categoria", "categorie", "kategoria", "категория",
    "категорія",
    "kategori", "luokka", "kategória", "カテゴリ", "分类", "分類", "분류", "تصنيف", "קטגוריה", "श्रेणी", "หมวดหมู่",
    "thể loại",
    "رده", "κατηγορία", "kategorio", "категорија", "kategorija", "flokkur",
})  # fmt: skip

# Sections that hold no running text, lower case.
APPENDICES = frozenset({
    "references", "notes", "footnotes", "citations", "sources", "bibliography", "further reading", "external links",
    "see also", "notes and references", "references and notes", "works cited", "gallery", "references and sources",
    "notes and citations", "sources and further reading", "general references", "explanatory notes", "endnotes",
    "einzelnachweise", "weblinks", "literatur", "siehe auch", "quellen", "anmerkungen", "belege",
    "références", "notes et références", "liens externes", "voir aussi", "bibliographie", "articles connexes",
    "referencias", "enlaces externos", "véase también", "bibliografía", "notas", "notas y referencias",
    "note", "collegamenti esterni", "voci correlate", "altri progetti", "bibliografia",
    "referências", "ligações externas", "ver também", "notas e referências",
    "bronnen", "externe links", "externe link", "zie ook", "literatuur", "noten", "voetnoten", "referenties",
    "przypisy", "linki zewnętrzne", "zobacz też", "uwagi",
    "примечания", "ссылки", "литература", "см. также", "источники", "примітки", "посилання", "джерела", "див. також",
    "källor", "externa länkar", "se även", "referenser", "noter", "litteratur",
    "脚注", "参考文献", "外部リンク", "関連項目", "注釈", "出典", "参考资料", "外部链接", "参见", "參見", "外部連結",
    "參考資料", "注释",
    "각주", "외부 링크", "같이 보기", "참고 문헌", "المراجع", "مراجع", "وصلات خارجية", "انظر أيضا", "انظر أيضًا",
    "הערות שוליים", "קישורים חיצוניים", "ראו גם", "kaynakça", "dış bağlantılar", "ayrıca bakınız", "सन्दर्भ",
    "बाहरी कड़ियाँ",
    "इन्हें भी देखें", "อ้างอิง", "แหล่งข้อมูลอื่น", "ดูเพิ่ม", "tham khảo", "liên kết ngoài", "xem thêm",
    "referensi", "pranala luar",
    "lihat pula",
})  # fmt: skip

DISAMBIGUATION_TITLE = re.compile(
    r"\((?:disambiguation|begriffsklärung|homonymie|desambiguación|disambigua|desambiguação|doorverwijspagina"
    r"|ujednoznacznienie|значения|значення|olika betydelser|曖昧さ回避|消歧义|消歧義|동음이의|توضيح|פירושונים"
    r"|anlam ayrımı"
    r"|बहुविकल्पी|แก้ความกำกวม|định hướng|disambiguasi|αποσαφήνιση|rozcestník|täsmennyssivu|egyértelműsítő lap)\)$",
    re.IGNORECASE,
)
DISAMBIGUATION_TEMPLATES = frozenset({
    "disambiguation", "disambig", "dab", "disamb", "hndis", "human name disambiguation", "geodis", "place name "
    "disambiguation", "mathdab", "mathematical disambiguation", "school disambiguation", "schooldis", "roaddis",
    "airport disambiguation", "letter-numbercombdisambig", "letter-number combination disambiguation", "set index",
    "set index article", "sia", "surname", "given name", "disambiguation cleanup", "numberdis", "species latin name "
    "disambiguation", "taxonomy disambiguation", "biology disambiguation", "hospital disambiguation", "shipindex",
    "begriffsklärung", "homonymie", "patronyme", "desambiguación", "desambiguacion", "disambigua", "desambiguação",
    "dp", "doorverwijspagina", "ujednoznacznienie", "неоднозначность", "disambig-mw", "неоднозначність", "förgrening",
    "gren", "aimai", "曖昧さ回避", "disambig-cjkv", "消歧义", "消歧義", "동음이의", "توضيح", "פירושונים",
    "anlam ayrımı",
    "anlamayrımı", "बहुविकल्पी शब्द", "แก้กำกวม", "trang định hướng", "disambiguasi", "αποσαφήνιση", "rozcestník",
    "täsmennyssivu", "egyért", "desambiguació",
})  # fmt: skip
DISAMBIGUATION_WORD = re.compile(r"__(?:DISAMBIG|BEGRIFFSKLÄRUNG|HOMONYMIE|DESAMBIGUACIÓN)__", re.IGNORECASE)

LIST_TITLE = re.compile(
    r"(?:list|lists|index|outline|table|tables|glossary) of |listen? (?:der|des|von|aller|über) |listes? (?:de|des|du) "
    r"|liste d['’]|listas? (?:de|do|da|dos|das) |anexo:|liste? di |lijst van |lista |список |lista över |liste over "
    r"|seznam |daftar |danh sách |рейтинг |κατάλογος |قائمة |רשימת |.*(?:一覧|列表|列表（)|.* 목록$",
    re.IGNORECASE,
)

# "{{Stub}}", "{{US-bio-stub}}", "{{ébauche}}" ...
STUB_TEMPLATE = re.compile(
    r"(?:.*[- ])?(?:stub|esbozo|esboço)$|(?:ébauche|ebauche|stub|esbo[çz]o|zalążek|beg|stubbe|заготовка|小作品|토막글"
    r"|بذرة|קצרמר|taslak|sơ khai|โครง)(?:[- /].*)?$",
    re.IGNORECASE,
)

# Prefixes of links to the same article in other languages, which a page shows in its margin.
LANGUAGE_PREFIX = re.compile(r"(?:[a-z]{2,3}(?:-[a-z]+)*|simple|nds-nl|zh-min-nan|be-tarask)$")
# Two and three letters that lead to other projects instead.
PROJECTS = frozenset({"wp", "wt", "w", "s", "b", "n", "q", "v", "d", "m", "c", "mw", "doi", "hdl", "rfc", "voy", "git"})
