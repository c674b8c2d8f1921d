# Two lines for a makefile that compiles by nvcc: this one, behind its own, and nothing else.
#     include /usr/share/mesi/mesi.mk
NVCC := mesi-nvcc
