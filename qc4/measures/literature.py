"""Works that more than one family of measures goes back to, each cited in one form."""

CRABTREE = "Crabtree, Andreae & Gao, QC4, PAKDD 2007"
ZAKI_MEIRA = "Zaki & Meira, Data Mining and Machine Learning, 2nd ed."
XIE = "Xie, Zhou, Wang & Jiang, New criteria for evaluating the validity of clustering, CAAI TIS 12, 2017"
AMIGO = "Amigó et al., A comparison of extrinsic clustering evaluation metrics, Information Retrieval 12, 2009"
HUBERT_ARABIE = "Hubert & Arabie, Comparing partitions, Journal of Classification 2, 1985"
